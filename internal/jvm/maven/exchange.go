package maven

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed extension.jar
var extensionJar []byte

// An exchange is this process's end of the conversation; see the package comment.
type exchange struct {
	dir      string
	requests *os.File // read end
	keeper   *os.File // a write end, so that the read end does not see an end before the extension opens it
	answers  *os.File

	mu sync.Mutex // one message at a time in answers
}

// openExchange makes the directory with the jar and the pipes.
func openExchange(temp string) (*exchange, error) {
	dir, err := os.MkdirTemp(temp, "winnow-maven-")
	if err != nil {
		return nil, err
	}
	x := &exchange{dir: dir}
	if err := x.fill(); err != nil {
		return nil, errors.Join(err, x.close())
	}
	return x, nil
}

func (x *exchange) fill() error {
	dir, err := filepath.Abs(x.dir)
	if err != nil {
		return err
	}
	if strings.ContainsRune(dir, os.PathListSeparator) {
		return fmt.Errorf("directory %s for temporary files has a %q in its name, which Maven's extension class path cannot express", dir, os.PathListSeparator)
	}
	x.dir = dir
	if err := os.WriteFile(x.jar(), extensionJar, 0o600); err != nil {
		return err
	}
	return x.openPipes()
}

func (x *exchange) jar() string { return filepath.Join(x.dir, "extension.jar") }

func (x *exchange) send(m message) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, err := x.answers.Write(m.encode())
	return err
}

// finish lets the reader see the end when the last other writer is gone.
func (x *exchange) finish() error { return x.keeper.Close() }

// close closes what is open and removes the directory. Files that are closed already are not an error.
func (x *exchange) close() error {
	var errs []error
	for _, f := range []*os.File{x.requests, x.keeper, x.answers} {
		if f == nil {
			continue
		}
		if err := f.Close(); !errors.Is(err, os.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, os.RemoveAll(x.dir))...)
}
