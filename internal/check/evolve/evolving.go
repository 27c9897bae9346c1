package evolve

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Revision is one state of an evolving program. Keys are paths with slashes: "p/A.java", "t/L1Test.java", "p/words.txt".
type Revision struct {
	Sources   map[string]string // code
	Tests     map[string]string // code of tests
	Resources map[string]string // what is on the class path beside the classes
}

// An Evolving is an evolving program.
type Evolving struct {
	Name      string // one line
	Seed      uint64 // of what made it; 0 if it was written by hand
	Revisions []Revision
}

// ErrText is wrapped by errors about the text of an evolving program.
var ErrText = errors.New("not the text of an evolving program")

// kinds are the directories of a revision in the text form.
var kinds = []string{"src", "test", "resource"}

func (r *Revision) files(kind string) *map[string]string {
	switch kind {
	case "src":
		return &r.Sources
	case "test":
		return &r.Tests
	}
	return &r.Resources
}

// Format is the text form: lines "name" and "seed", one "revision" line each, and the files as in a txtar archive, named "0/src/p/A.java". A revision that equals the one
// before it is a line "revision same". Texts must end in a line feed and have no line that looks like the head of a file; Format says if one does not.
func (e *Evolving) Format() ([]byte, error) {
	var b bytes.Buffer
	if strings.ContainsAny(e.Name, "\r\n") || strings.TrimSpace(e.Name) != e.Name {
		return nil, fmt.Errorf("format %q: the name must be one line without space around it", e.Name)
	}
	fmt.Fprintf(&b, "name %s\nseed %d\n", e.Name, e.Seed)
	same := make([]bool, len(e.Revisions))
	for i := range e.Revisions {
		same[i] = i > 0 && e.Revisions[i].Equal(&e.Revisions[i-1])
		b.WriteString(map[bool]string{false: "revision\n", true: "revision same\n"}[same[i]])
	}
	for i := range e.Revisions {
		if same[i] {
			continue
		}
		if err := e.Revisions[i].format(&b, i); err != nil {
			return nil, fmt.Errorf("format %s: %w", e.Name, err)
		}
	}
	return b.Bytes(), nil
}

func (r *Revision) format(b *bytes.Buffer, number int) error {
	for _, kind := range kinds {
		files := *r.files(kind)
		for _, path := range slices.Sorted(maps.Keys(files)) {
			if err := checkPath(path); err != nil {
				return err
			}
			if err := checkText(files[path]); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			fmt.Fprintf(b, "-- %d/%s/%s --\n%s", number, kind, path, files[path])
		}
	}
	return nil
}

// Equal tells whether two revisions have the same files.
func (r *Revision) Equal(o *Revision) bool {
	return maps.Equal(r.Sources, o.Sources) && maps.Equal(r.Tests, o.Tests) && maps.Equal(r.Resources, o.Resources)
}

func checkPath(path string) error {
	if path == "" || strings.TrimSpace(path) != path || strings.ContainsAny(path, "\r\n\\") {
		return fmt.Errorf("path %q: want one line without backslash and without space around it", path)
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("path %q: want a relative path without empty parts and dots", path)
		}
	}
	return nil
}

func checkText(text string) error {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return errors.New("the last line must end in a line feed")
	}
	for line := range strings.SplitSeq(text, "\n") {
		if _, ok := head(line); ok {
			return fmt.Errorf("the line %q would start a file", line)
		}
	}
	return nil
}

// head reads the line before a file.
func head(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, "-- ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, " --")
}

// ParseEvolving reads the text form.
func ParseEvolving(text []byte) (*Evolving, error) {
	e := &Evolving{}
	p := evolvingParser{of: e}
	for n, line := range strings.SplitAfter(string(text), "\n") {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrText, n+1, err)
		}
	}
	if err := p.end(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrText, err)
	}
	return e, nil
}

type evolvingParser struct {
	of     *Evolving
	fields int // lines of the head that were read
	same   map[int]bool
	file   map[string]string
	path   string
	body   strings.Builder
}

func (p *evolvingParser) line(line string) error {
	name, isHead := head(strings.TrimSuffix(line, "\n"))
	switch {
	case isHead && strings.HasSuffix(line, "\n"):
		p.closeFile()
		return p.open(name)
	case p.file != nil:
		p.body.WriteString(line)
		return nil
	case line == "":
		return nil
	}
	return p.field(line)
}

func (p *evolvingParser) field(line string) error {
	line, ok := strings.CutSuffix(line, "\n")
	key, value, _ := strings.Cut(line, " ")
	p.fields++
	switch {
	case !ok:
		return errors.New("the line does not end")
	case p.fields == 1 && key == "name" && strings.TrimSpace(value) == value:
		p.of.Name = value
		return nil
	case p.fields == 2 && key == "seed":
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil || strconv.FormatUint(seed, 10) != value {
			return fmt.Errorf("seed %q is no number", value)
		}
		p.of.Seed = seed
		return nil
	case p.fields > 2 && (line == "revision" || line == "revision same"):
		return p.revision(value == "same")
	}
	return fmt.Errorf("%q: want name, seed, revision, then files", line)
}

func (p *evolvingParser) revision(same bool) error {
	n := len(p.of.Revisions)
	if same && n == 0 {
		return errors.New("the first revision is the same as nothing")
	}
	if p.same == nil {
		p.same = map[int]bool{}
	}
	p.same[n] = same
	p.of.Revisions = append(p.of.Revisions, Revision{})
	return nil
}

func (p *evolvingParser) open(name string) error {
	number, rest, _ := strings.Cut(name, "/")
	kind, path, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(p.of.Revisions) || strconv.Itoa(n) != number || p.same[n] {
		return fmt.Errorf("%q: there is no revision %s with files of its own", name, number)
	}
	if !slices.Contains(kinds, kind) {
		return fmt.Errorf("%q: want one of %s behind the revision", name, strings.Join(kinds, ", "))
	}
	if err := checkPath(path); err != nil {
		return err
	}
	files := p.of.Revisions[n].files(kind)
	if *files == nil {
		*files = map[string]string{}
	}
	if _, twice := (*files)[path]; twice {
		return fmt.Errorf("%q is there twice", name)
	}
	p.file, p.path = *files, path
	p.file[path] = ""
	return nil
}

func (p *evolvingParser) closeFile() {
	if p.file != nil {
		p.file[p.path] = p.body.String()
		p.body.Reset()
	}
}

// end copies the files of revisions that are the same as the one before.
func (p *evolvingParser) end() error {
	if text := p.body.String(); text != "" && !strings.HasSuffix(text, "\n") {
		return errors.New("the last line does not end")
	}
	p.closeFile()
	if p.fields < 3 {
		return errors.New("want lines name, seed and revision")
	}
	for i := range p.of.Revisions {
		if p.same[i] {
			p.of.Revisions[i] = p.of.Revisions[i-1].Clone()
		} else if i > 0 && p.of.Revisions[i].Equal(&p.of.Revisions[i-1]) {
			return fmt.Errorf("revision %d equals the one before and is not marked as the same", i)
		}
	}
	return nil
}

// Clone copies a revision.
func (r *Revision) Clone() Revision {
	return Revision{maps.Clone(r.Sources), maps.Clone(r.Tests), maps.Clone(r.Resources)}
}
