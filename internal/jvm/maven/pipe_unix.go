//go:build unix

package maven

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// openPipes makes the two pipes. No end is opened in a way that waits for the other side: the extension may never come.
func (x *exchange) openPipes() (err error) {
	requests, answers := filepath.Join(x.dir, "requests"), filepath.Join(x.dir, "answers")
	for _, path := range []string{requests, answers} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			return fmt.Errorf("make named pipe %s: %w", path, err)
		}
	}
	if x.requests, err = os.OpenFile(requests, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		return err
	}
	if x.keeper, err = os.OpenFile(requests, os.O_WRONLY|syscall.O_NONBLOCK, 0); err != nil {
		return err
	}
	x.answers, err = os.OpenFile(answers, os.O_RDWR|syscall.O_NONBLOCK, 0)
	return err
}
