package statements

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"winnow/internal/semantics/minijvm"
)

// ErrProgress says that a progress file is damaged, or is of another check.
var ErrProgress = errors.New("the progress file cannot be used")

// A progressLog keeps finished blocks. The file has a line that names the check, and a line for every block, each with a checksum. A last line without its end is what
// a killed run leaves: it is cut off. Everything else that is wrong is an error.
type progressLog struct {
	file   *os.File // nil: nothing is kept
	blocks map[int]Tally
}

// logged is a line of the file.
type logged struct {
	Check string `json:"check,omitempty"`
	Block int    `json:"block"`
	Tally *Tally `json:"tally,omitempty"`
}

// identity names the bound, by the programs in it, and what is counted.
func (x *exhausting) identity() string {
	h := sha256.New()
	for i := 0; i < x.bound.Programs(); i += 997 {
		fmt.Fprintln(h, i, x.bound.Program(i))
	}
	fmt.Fprintln(h, descriptions, x.bound.Programs(), x.Every, minijvm.StepLimit)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func openProgress(name, identity string) (*progressLog, error) {
	l := &progressLog{blocks: map[int]Tally{}}
	if name == "" {
		return l, nil
	}
	whole, err := l.read(name, identity)
	if err != nil {
		return nil, err
	}
	if l.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, fmt.Errorf("progress file: %w", err)
	}
	if err := errors.Join(l.file.Truncate(whole), seek(l.file, whole)); err != nil {
		return nil, errors.Join(fmt.Errorf("progress file: %w", err), l.file.Close())
	}
	if whole == 0 {
		if err := l.write(logged{Check: identity}); err != nil {
			return nil, errors.Join(err, l.file.Close())
		}
	}
	return l, nil
}

func seek(f *os.File, to int64) error {
	_, err := f.Seek(to, 0)
	return err
}

// read takes over what an earlier run did, and returns the length of what is whole.
func (l *progressLog) read(name, identity string) (whole int64, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("progress file: %w", err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	for i, line := range lines {
		if i == len(lines)-1 && !strings.HasSuffix(line, "\n") {
			break // empty, or cut off when the run was ended
		}
		if err := l.take(i, line, identity); err != nil {
			return 0, fmt.Errorf("%w: %s, line %d: %w; remove it to begin anew", ErrProgress, name, i+1, err)
		}
		whole += int64(len(line))
	}
	return whole, nil
}

func (l *progressLog) take(i int, line, identity string) error {
	body, sum, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	if !ok || checksum(body) != sum {
		return errors.New("the checksum is wrong")
	}
	var x logged
	if err := json.Unmarshal([]byte(body), &x); err != nil {
		return fmt.Errorf("no line of a progress file: %w", err)
	}
	_, twice := l.blocks[x.Block]
	switch {
	case (x.Check != "") != (i == 0):
		return errors.New("the lines are not in order")
	case i == 0 && x.Check != identity:
		return errors.New("it is of another bound, or of another version of the check")
	case i > 0 && (x.Tally == nil || twice):
		return fmt.Errorf("block %d is there twice or has no counts", x.Block)
	case i > 0:
		l.blocks[x.Block] = *x.Tally
	}
	return nil
}

func checksum(body string) string {
	h := sha256.Sum256([]byte(body))
	return hex.EncodeToString(h[:8])
}

func (l *progressLog) add(block int, t *Tally) error {
	l.blocks[block] = *t
	return l.write(logged{Block: block, Tally: t})
}

func (l *progressLog) write(x logged) error {
	if l.file == nil {
		return nil
	}
	body, err := json.Marshal(x)
	if err != nil {
		return fmt.Errorf("progress file: %w", err)
	}
	w := bufio.NewWriter(l.file)
	fmt.Fprintf(w, "%s %s\n", body, checksum(string(body)))
	if err := w.Flush(); err != nil {
		return fmt.Errorf("progress file: %w", err)
	}
	return nil
}

func (l *progressLog) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
