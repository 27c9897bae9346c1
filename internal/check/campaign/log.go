package campaign

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"winnow/internal/digest"
)

// ErrLog is wrapped by errors about the content of a log.
var ErrLog = errors.New("not a log of this campaign")

// A Log is a file of entries. Each line is a checksum and a JSON text; the first one says what the log is of.
type Log struct {
	mu       sync.Mutex
	file     *os.File
	entries  []*Entry
	done     map[string]bool
	finished bool
	// Torn: the file ended in a line that was not whole, which was removed.
	Torn bool
}

// A heading is the first line of a log.
type heading struct {
	Campaign string `json:"campaign"`
	Checker  string `json:"checker"` // what made the entries
}

// ReadLog reads the entries of a log of any campaign, with the campaign, and whether it came to its end.
func ReadLog(path string) (c *Campaign, entries []*Entry, finished bool, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, false, err
	}
	head, all, _, err := decode(data)
	if err != nil {
		return nil, nil, false, fmt.Errorf("%s: %w", path, err)
	}
	if head == nil {
		return nil, nil, false, fmt.Errorf("%s: it is empty: %w", path, ErrLog)
	}
	if c, err = Parse(path, []byte(head.Campaign)); err != nil {
		return nil, nil, false, err
	}
	entries, finished = split(all)
	return c, entries, finished, nil
}

// theEnd is the status of the line that ends the log of a campaign that was done as a whole.
const theEnd Status = "finished"

// split takes the line that ends a log from the entries.
func split(all []*Entry) (entries []*Entry, finished bool) {
	for _, e := range all {
		if e.Status == theEnd {
			finished = true
		} else {
			entries = append(entries, e)
		}
	}
	return entries, finished
}

// OpenLog opens the log of a campaign, or begins one. What a killed run left half-written is removed.
func OpenLog(path string, c *Campaign, checker string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	l := &Log{file: file, done: map[string]bool{}}
	if err := l.load(path, heading{c.String(), checker}); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

func (l *Log) load(path string, want heading) error {
	data, err := io.ReadAll(l.file)
	if err != nil {
		return err
	}
	head, entries, whole, err := decode(data)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w; move it away to begin again", path, err)
	case head != nil && head.Campaign != want.Campaign:
		return fmt.Errorf("%s: %w: it is of another one; move it away, or choose another file with --results", path, ErrLog)
	case head != nil && head.Checker != want.Checker:
		return fmt.Errorf("%s: %w: it was made by another version of winnow; move it away, or choose another file with --results", path, ErrLog)
	}
	l.Torn = whole < len(data)
	if err := l.file.Truncate(int64(whole)); err != nil {
		return err
	}
	if _, err := l.file.Seek(int64(whole), io.SeekStart); err != nil {
		return err
	}
	if head == nil {
		return l.write(want)
	}
	l.entries, l.finished = split(entries)
	for _, e := range l.entries {
		l.done[e.Program] = true
	}
	return nil
}

// decode reads a log. It returns how many bytes are whole lines: behind them there may be a torn one.
func decode(data []byte) (head *heading, entries []*Entry, whole int, err error) {
	for n := 1; whole < len(data); n++ {
		end := bytes.IndexByte(data[whole:], '\n')
		if end < 0 {
			return head, entries, whole, nil
		}
		text, ok := unseal(data[whole : whole+end])
		if !ok {
			if whole+end+1 == len(data) && n > 1 {
				return head, entries, whole, nil // the last line, torn
			}
			return nil, nil, 0, fmt.Errorf("line %d is damaged: %w", n, ErrLog)
		}
		if n == 1 {
			head = &heading{}
			err = json.Unmarshal(text, head)
		} else {
			e := &Entry{}
			err = json.Unmarshal(text, e)
			entries = append(entries, e)
		}
		if err != nil {
			return nil, nil, 0, fmt.Errorf("line %d: %w: %w", n, err, ErrLog)
		}
		whole += end + 1
	}
	return head, entries, whole, nil
}

const sumLength = 16

// seal puts the checksum before a text.
func seal(text []byte) []byte {
	sum := digest.Of(text)
	out := make([]byte, 0, sumLength+2+len(text))
	out = append(hex.AppendEncode(out, sum[:sumLength/2]), ' ')
	return append(append(out, text...), '\n')
}

func unseal(line []byte) ([]byte, bool) {
	if len(line) < sumLength+1 {
		return nil, false
	}
	text := line[sumLength+1:]
	return text, bytes.Equal(seal(text), append(bytes.Clone(line), '\n'))
}

func (l *Log) write(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = l.file.Write(seal(text))
	return err
}

// Done tells whether the log has an entry of a program.
func (l *Log) Done(program string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.done[program]
}

// Add appends an entry.
func (l *Log) Add(e *Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.write(e); err != nil {
		return fmt.Errorf("%s: %w", l.file.Name(), err)
	}
	l.entries = append(l.entries, e)
	l.done[e.Program] = true
	return nil
}

// Finish notes that the campaign was done as a whole.
func (l *Log) Finish() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.finished {
		return nil
	}
	l.finished = true
	return l.write(&Entry{Status: theEnd})
}

// Entries are all entries so far.
func (l *Log) Entries() []*Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]*Entry(nil), l.entries...)
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
