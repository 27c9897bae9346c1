//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// alone waits until no other command builds the project: two Mavens in one directory delete and write each other's classes. The lock is one on Winnow's directory, so that nothing is written for it, and goes
// with the process, however that ends. Without the directory there is no lock, nor where the file system has none.
func (s *session) alone(ctx context.Context) (release func(), err error) {
	dir, err := os.Open(filepath.Dir(s.w.location))
	if err != nil {
		return func() {}, nil
	}
	release = func() { _ = dir.Close() }
	for told := false; ; told = true {
		err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return release, nil
		}
		if !told {
			fmt.Fprintln(s.Err, "winnow: another winnow is at work in this project; waiting for its end")
		}
		select {
		case <-ctx.Done():
			release()
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}
