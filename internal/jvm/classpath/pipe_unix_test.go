//go:build unix

package classpath

import "syscall"

func makePipe(path string) error { return syscall.Mkfifo(path, 0o644) }
