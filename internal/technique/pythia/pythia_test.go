package pythia

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/technique"
)

// old has four blocks; the digit before a line is its block, and block n is recorded as entry 10 n.
const old = `
1 a
1 b
2 if c {
3   d
3   e
2 }
4 f`

var proc = rts.Entity{Kind: "func", Name: "proc"}

// A project has one function, and remembers the bodies that were recorded.
type project struct {
	now     string
	gone    bool
	bodies  map[digest.Digest][]byte
	bodyErr error
	read    int
}

func (p *project) Now(e rts.Entity) ([]byte, bool) { return []byte(p.now), e == proc && !p.gone }

func (p *project) Body(d digest.Digest) ([]byte, bool, error) {
	b, ok := p.bodies[d]
	return b, ok, p.bodyErr
}

func (p *project) Blocks(text []byte) (*Source, error) {
	p.read++
	src := &Source{Entries: [][]uint32{{0}}}
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\n")) {
		number, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		block, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("line %q has no block", line)
		}
		for len(src.Entries) <= block {
			src.Entries = append(src.Entries, []uint32{uint32(10 * len(src.Entries))})
		}
		src.Lines, src.Block = append(src.Lines, rest), append(src.Block, block)
	}
	return src, nil
}

func newProject(before, after string) *project {
	return &project{now: after, bodies: map[digest.Digest][]byte{digest.OfString(before): []byte(before)}}
}

func ask(j technique.Judge, before string, entries []uint32) ([]rts.Reason, []rts.Difference, error) {
	use := rts.Use{Entity: proc, Digest: digest.OfString(before), Entries: entries}
	return j.Judge(technique.Trace{Stale: []technique.Stale{{Use: use, Now: digest.OfString("now")}}})
}

// condemned returns the blocks that select a test, each with the line that is given as the reason.
func condemned(t *testing.T, before, after string) string {
	t.Helper()
	p := newProject(before, after)
	j := New(p, p)
	var all []string
	for block := range uint32(5) {
		reasons, harmless, err := ask(j, before, []uint32{10 * block})
		if err != nil {
			t.Fatal(err)
		}
		if len(reasons)+len(harmless) != 1 {
			t.Fatalf("block %d: %v, %v", block, reasons, harmless)
		}
		for _, r := range reasons {
			all = append(all, fmt.Sprintf("%d %s", block, strings.Join(r.Path, "/")))
		}
	}
	return strings.Join(all, "; ")
}

// TestTextDifferences edits the text; lines of the new text may carry any block, since only their text counts.
func TestTextDifferences(t *testing.T) {
	for _, c := range []struct {
		name, after, want string
	}{
		{"the same text", old, ""},
		{"changed line", strings.Replace(old, "  d", "  D", 1), "3 -   d"},
		{"deleted line", strings.Replace(old, "3   e\n", "", 1), "3 -   e"},
		{"deleted last line", strings.Replace(old, "\n4 f", "", 1), "4 - f"},
		{"first line changed", strings.Replace(old, "1 a", "1 A", 1), "1 - a"},
		{"inserted at the start", strings.Replace(old, "1 a", "1 x\n1 a", 1), "0 + before a; 1 + before a"},
		{"inserted in the middle of a block", strings.Replace(old, "1 b", "1 x\n1 b", 1), "1 + before b"},
		{"inserted at the end of a block", strings.Replace(old, "2 if", "1 x\n2 if", 1), "1 + before if c {; 2 + before if c {"},
		{"inserted at the start of a branch", strings.Replace(old, "3   d", "3 x\n3   d", 1), "2 + before   d; 3 + before   d"},
		{"inserted at the end of a branch", strings.Replace(old, "2 }", "3 x\n2 }", 1), "2 + before }; 3 + before }"},
		{"inserted at the end", old + "\n4 x", "4 + at the end"},
		{"inserted control line", strings.Replace(old, "1 b\n", "1 if x {\n1 b\n1 }\n", 1), "0 the structure differs; 1 + before b; 2 + before if c {"},
		{"changed condition", strings.Replace(old, "if c", "if C", 1), "0 the structure differs; 2 - if c {; 3 + before   d"},
		{"everything gone", "\n", "0 the structure differs; 1 - a; 2 - if c {; 3 -   d; 4 - f"},
		{"two places", strings.Replace(old, "1 b", "1 B", 1) + "\n4 x", "1 - b; 2 + before if c {; 4 + at the end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := condemned(t, old, c.after)
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if got, want := condemned(t, "", "1 a"), "0 + at the end"; got != want {
		t.Errorf("a body that was empty: %q, want %q", got, want)
	}
}

// TestAnyCoveredBlockSelects asks with several entries at once.
func TestAnyCoveredBlockSelects(t *testing.T) {
	after := strings.Replace(old, "  d", "  D", 1)
	p := newProject(old, after)
	j := New(p, p)
	if reasons, _, err := ask(j, old, []uint32{0, 10, 30, 40}); err != nil || len(reasons) != 1 || reasons[0].Code != rts.InputChanged {
		t.Errorf("%v, %v", reasons, err)
	}
	_, harmless, err := ask(j, old, []uint32{0, 10, 20, 40})
	if err != nil || len(harmless) != 1 || harmless[0] != (rts.Difference{Entity: proc, Why: "no changed block was covered"}) {
		t.Errorf("%v, %v", harmless, err)
	}
	if p.read != 2 {
		t.Errorf("%d sources cut into blocks, want 2: a pair of versions is compared once", p.read)
	}
}

// TestWholeFunction lists where the covered entries do not help (S2.1).
func TestWholeFunction(t *testing.T) {
	unknown, gone := newProject("another", old), newProject(old, old)
	gone.gone = true
	for name, c := range map[string]struct {
		p       *project
		entries []uint32
	}{"body not known": {unknown, []uint32{0}}, "function gone": {gone, []uint32{0}}, "no entries recorded": {newProject(old, old), nil}} {
		reasons, harmless, err := ask(New(c.p, c.p), old, c.entries)
		if err != nil || len(reasons) != 1 || len(harmless) != 0 {
			t.Errorf("%s: %v, %v, %v", name, reasons, harmless, err)
		}
	}
}

func TestErrors(t *testing.T) {
	broken := newProject(old, old)
	broken.bodyErr = errors.New("cannot be read")
	for name, c := range map[string]struct {
		p      *project
		before string
	}{
		`"old"`:          {newProject("old", old), "old"},
		`"new"`:          {newProject(old, "new"), old},
		"cannot be read": {broken, old},
	} {
		reasons, harmless, err := ask(New(c.p, c.p), c.before, []uint32{0})
		if err == nil || reasons != nil || harmless != nil || !strings.Contains(err.Error(), name) || !strings.HasPrefix(err.Error(), "func proc: ") {
			t.Errorf("%s: %v, %v, %v", name, reasons, harmless, err)
		}
	}
}
