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

// A Log is a file of entries, and of what single subjects did on programs that have no entry yet. Each line is a checksum and a JSON text; the first one says what the log is of.
type Log struct {
	mu       sync.Mutex
	file     *os.File
	entries  []*Entry
	done     map[string]bool
	tried    map[[2]string]*Tried // by program and subject
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
	d, err := decode(data)
	if err != nil {
		return nil, nil, false, fmt.Errorf("%s: %w", path, err)
	}
	if d.head == nil {
		return nil, nil, false, fmt.Errorf("%s: it is empty: %w", path, ErrLog)
	}
	if c, err = Parse(path, []byte(d.head.Campaign)); err != nil {
		return nil, nil, false, err
	}
	return c, d.entries, d.finished, nil
}

// theEnd is the status of the line that ends the log of a campaign that was done as a whole.
const theEnd Status = "finished"

// OpenLog opens the log of a campaign, or begins one. What a killed run left half-written is removed.
func OpenLog(path string, c *Campaign, checker string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	l := &Log{file: file, done: map[string]bool{}, tried: map[[2]string]*Tried{}}
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
	d, err := decode(data)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w; move it away to begin again", path, err)
	case d.head != nil && d.head.Campaign != want.Campaign:
		return fmt.Errorf("%s: %w: it is of another one; move it away, or choose another file with --results", path, ErrLog)
	case d.head != nil && d.head.Checker != want.Checker:
		return fmt.Errorf("%s: %w: it was made by another version of winnow; move it away, or choose another file with --results", path, ErrLog)
	}
	l.Torn = d.whole < len(data)
	if err := l.file.Truncate(int64(d.whole)); err != nil {
		return err
	}
	if _, err := l.file.Seek(int64(d.whole), io.SeekStart); err != nil {
		return err
	}
	if d.head == nil {
		return l.write(want)
	}
	l.entries, l.finished = d.entries, d.finished
	for _, t := range d.tried {
		l.tried[[2]string{t.Program, t.Subject}] = t
	}
	for _, e := range l.entries {
		l.done[e.Program] = true
	}
	return nil
}

// decoded is what a log has. Behind its whole lines there may be a torn one.
type decoded struct {
	head     *heading
	entries  []*Entry
	tried    []*Tried
	finished bool
	whole    int // bytes
}

// decode reads a log.
func decode(data []byte) (*decoded, error) {
	d := &decoded{}
	for n := 1; d.whole < len(data); n++ {
		end := bytes.IndexByte(data[d.whole:], '\n')
		if end < 0 {
			return d, nil
		}
		text, ok := unseal(data[d.whole : d.whole+end])
		if !ok {
			if d.whole+end+1 == len(data) && n > 1 {
				return d, nil // the last line, torn
			}
			return nil, fmt.Errorf("line %d is damaged: %w", n, ErrLog)
		}
		if err := d.line(text); err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", n, err, ErrLog)
		}
		d.whole += end + 1
	}
	return d, nil
}

// line takes one line: the first is the heading; an entry has a status, and what a subject did has none.
func (d *decoded) line(text []byte) error {
	if d.head == nil {
		d.head = &heading{}
		return json.Unmarshal(text, d.head)
	}
	e := &Entry{}
	if err := json.Unmarshal(text, e); err != nil {
		return err
	}
	switch e.Status {
	case theEnd:
		d.finished = true
	case "":
		t := &Tried{}
		if err := json.Unmarshal(text, t); err != nil {
			return err
		}
		if t.Program == "" || t.Subject == "" {
			return errors.New("neither an entry nor what a subject did")
		}
		d.tried = append(d.tried, t)
	default:
		d.entries = append(d.entries, e)
	}
	return nil
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

// Try notes what a subject did on a program.
func (l *Log) Try(t *Tried) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.write(t); err != nil {
		return fmt.Errorf("%s: %w", l.file.Name(), err)
	}
	l.tried[[2]string{t.Program, t.Subject}] = t
	return nil
}

// Tried is what a subject did on a program, nil if that is not known.
func (l *Log) Tried(program, subject string) *Tried {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tried[[2]string{program, subject}]
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
