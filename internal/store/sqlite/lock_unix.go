//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder keeps other processes from recovering or setting aside a store of the same folder. The lock is on the folder, so no
// file is left behind, and it ends with the process.
func lockFolder(path string) (unlock func() error, err error) {
	f, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(&os.PathError{Op: "lock", Path: f.Name(), Err: err}, f.Close())
	}
	return f.Close, nil
}
