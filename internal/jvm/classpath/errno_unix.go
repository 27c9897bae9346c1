//go:build unix

package classpath

import (
	"errors"
	"syscall"
)

// isNoPath tells that there cannot be a file of that path: a part of it is a file where a directory is needed, or is too long.
func isNoPath(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// isLoop tells that links lead to each other.
func isLoop(err error) bool { return errors.Is(err, syscall.ELOOP) }
