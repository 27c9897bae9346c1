package dejavu

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/graph"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/technique"
)

// The program avg of Harrold et al., Figure 1, as package safespace has it.
const (
	avgOld = `
		entry | entry                         | e->1
		1     | count = 0                     | e->2
		2     | read n                        | e->3
		3     | while not EOF                 | F->9 T->4
		4     | if n < 0                      | F->6 T->5
		5     | return error                  | e->exit
		6     | numarray[count] = n           | e->7
		7     | count++                       | e->8
		8     | read n                        | e->3
		9     | avg = calcavg(numarray, count) | e->10
		10    | return avg                    | e->exit
		exit  | exit                          |`
	avgNew = `
		entry | entry                         | e->1
		1     | count = 0                     | e->2
		2     | read n                        | e->3
		3     | while not EOF                 | F->9 T->4
		4     | if n < 0                      | F->6 T->5a
		5a    | print bad input               | e->5
		5     | return error                  | e->exit
		6     | numarray[count] = n           | e->8
		8     | read n                        | e->3
		9     | avg = calcavg(numarray, count) | e->10
		10    | return avg                    | e->exit
		exit  | exit                          |`
)

// avgTraces are the runs of the tests of Table 1 as sequences of nodes.
var avgTraces = []string{
	"entry 1 2 3 9 10 exit",                               // an empty file
	"entry 1 2 3 4 5 exit",                                // -1
	"entry 1 2 3 4 6 7 8 3 4 6 7 8 3 4 6 7 8 3 9 10 exit", // 1 2 3
}

// A listing is a graph written as text; its edges are numbered in the order of the text.
type listing struct {
	names []string
	words []string
	first []uint32 // number of the first edge of each node
	graph *graph.Static[string]
}

func parse(text string) (*listing, error) {
	l := &listing{}
	var outs []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		parts := strings.Split(line, "|")
		if len(parts) != 3 {
			return nil, fmt.Errorf("line %q has no three columns", line)
		}
		l.names = append(l.names, strings.TrimSpace(parts[0]))
		l.words = append(l.words, strings.TrimSpace(parts[1]))
		outs = append(outs, parts[2])
	}
	var b graph.Builder[string]
	b.Nodes(len(l.names))
	n := uint32(0)
	for i, out := range outs {
		l.first = append(l.first, n)
		for _, e := range strings.Fields(out) {
			label, to, _ := strings.Cut(e, "->")
			b.Edge(int32(i), label, int32(slices.Index(l.names, to)))
			n++
		}
	}
	var err error
	l.graph, err = b.Build(0)
	return l, err
}

// covered returns the numbers of the edges of a trace, sorted.
func (l *listing) covered(t *testing.T, trace string) []uint32 {
	t.Helper()
	var entries []uint32
	nodes := strings.Fields(trace)
	for i := range len(nodes) - 1 {
		from, to := slices.Index(l.names, nodes[i]), int32(slices.Index(l.names, nodes[i+1]))
		k := slices.IndexFunc(l.graph.Out(int32(from)), func(e graph.Edge[string]) bool { return e.To == to })
		if k < 0 {
			t.Fatalf("no edge from %s to %s", nodes[i], nodes[i+1])
		}
		entries = append(entries, l.first[from]+uint32(k))
	}
	slices.Sort(entries)
	return slices.Compact(entries)
}

// A project has one function, and remembers the bodies that were recorded.
type project struct {
	now     string // "" if the function is gone
	old     map[digest.Digest][]byte
	bodyErr error
	decoded int
	// adaptor, if set, replaces the edges' own numbers.
	adaptor func(node int32, edge int) []uint32
}

var avg = rts.Entity{Kind: "func", Name: "avg"}

func (p *project) Now(e rts.Entity) ([]byte, bool) { return []byte(p.now), e == avg && p.now != "" }

func (p *project) Body(d digest.Digest) ([]byte, bool, error) {
	b, ok := p.old[d]
	return b, ok, p.bodyErr
}

func (p *project) Decode(text []byte) (*Body, error) {
	p.decoded++
	l, err := parse(string(text))
	if err != nil {
		return nil, err
	}
	entries := func(node int32, edge int) []uint32 { return []uint32{l.first[node] + uint32(edge)} }
	if p.adaptor != nil {
		entries = p.adaptor
	}
	return &Body{Graph: l.graph, Words: l.words, Entries: entries, Default: "*"}, nil
}

// newProject has a function that was recorded in some versions and is another one now.
func newProject(now string, old ...string) *project {
	p := &project{now: now, old: map[digest.Digest][]byte{}}
	for _, text := range old {
		p.old[digest.OfString(text)] = []byte(text)
	}
	return p
}

func (p *project) judge(rules safety.Rules) asker { return asker{New(p, p, rules)} }

// An asker asks a judge about one use.
type asker struct{ judge technique.Judge }

// ask judges one use of the function.
func (j asker) ask(old string, entries []uint32) ([]rts.Reason, []rts.Difference, error) {
	use := rts.Use{Entity: avg, Digest: digest.OfString(old), Entries: entries}
	return j.judge.Judge(technique.Trace{Stale: []technique.Stale{{Use: use, Now: digest.OfString("now")}}})
}

func TestAvg(t *testing.T) {
	old, err := parse(avgOld)
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(avgNew, avgOld)
	j := p.judge(safety.Rules{})
	want := []string{
		"harmless: no changed edge was covered",
		"input-changed func avg: entry → count = 0 → read n → while not EOF → if n < 0 → word differs at return error",
		"input-changed func avg: entry → count = 0 → read n → while not EOF → if n < 0 → numarray[count] = n → word differs at count++",
	}
	for i, trace := range avgTraces {
		reasons, harmless, err := j.ask(avgOld, old.covered(t, trace))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range reasons {
			got = append(got, r.String()+": "+strings.Join(r.Path, " → "))
		}
		for _, d := range harmless {
			got = append(got, "harmless: "+d.Why)
		}
		if len(got) != 1 || got[0] != want[i] {
			t.Errorf("test %d: %q, want %q", i+1, got, want[i])
		}
	}
}

// TestVersionsAreComparedOnce counts how often bodies are read: twice for each pair of versions, however many tests share it.
func TestVersionsAreComparedOnce(t *testing.T) {
	older := strings.Replace(avgOld, "count = 0", "count = 1", 1)
	p := newProject(avgNew, avgOld, older)
	j := p.judge(safety.Rules{})
	for i, step := range []struct {
		old     string
		decoded int
	}{{avgOld, 2}, {avgOld, 2}, {older, 4}, {avgOld, 4}, {older, 4}} {
		if _, _, err := j.ask(step.old, []uint32{0}); err != nil {
			t.Fatal(err)
		}
		if p.decoded != step.decoded {
			t.Errorf("step %d: %d bodies read, want %d", i, p.decoded, step.decoded)
		}
	}
}

// TestWholeFunction lists where the covered entries do not help (S2.1).
func TestWholeFunction(t *testing.T) {
	started := strings.Replace(avgNew, "entry | entry ", "entry | entry2", 1)
	for _, c := range []struct {
		name    string
		p       *project
		entries []uint32
		detail  string
	}{
		{"body not known", newProject(avgNew), []uint32{0}, "its recorded body is not known"},
		{"function gone", newProject("", avgOld), []uint32{0}, ""},
		{"differs from the start on", newProject(started, avgOld), []uint32{0}, "it differs from its first statement on"},
		{"no entries recorded", newProject(avgOld, avgOld), nil, ""},
	} {
		reasons, harmless, err := c.p.judge(safety.Rules{}).ask(avgOld, c.entries)
		if err != nil || len(harmless) != 0 || len(reasons) != 1 || reasons[0].Code != rts.InputChanged || reasons[0].Detail != c.detail {
			t.Errorf("%s: %v, %v, %v", c.name, reasons, harmless, err)
		}
	}
	off := newProject(avgNew).judge(safety.Without(safety.MissingBodyIsWhole))
	if reasons, _, err := off.ask(avgOld, []uint32{0}); err != nil || len(reasons) != 0 {
		t.Errorf("the rule switched off changes nothing: %v, %v", reasons, err)
	}
}

func TestErrors(t *testing.T) {
	broken := newProject(avgNew, avgOld)
	broken.bodyErr = errors.New("cannot be read")
	for name, p := range map[string]*project{
		"no three columns": newProject(avgNew, "bogus"),
		"three columns":    newProject("bogus", avgOld),
		"cannot be read":   broken,
	} {
		old := avgOld
		if name == "no three columns" {
			old = "bogus"
		}
		reasons, harmless, err := p.judge(safety.Rules{}).ask(old, []uint32{0})
		if err == nil || reasons != nil || harmless != nil || !strings.Contains(err.Error(), name) || !strings.HasPrefix(err.Error(), "func avg: ") {
			t.Errorf("%s: %v, %v, %v", name, reasons, harmless, err)
		}
	}
}

// TestNewLabel adds a case to a switch: control that took the default may go there now (S2.3).
func TestNewLabel(t *testing.T) {
	const (
		before = `
			entry  | entry    | e->switch
			switch | switch n | *->b 1->a
			a      | a        | e->exit
			b      | b        | e->exit
			exit   | exit     |`
		after = `
			entry  | entry    | e->switch
			switch | switch n | *->b 1->a 2->c
			a      | a        | e->exit
			b      | b        | e->exit
			c      | c        | e->exit
			exit   | exit     |`
	)
	viaDefault := []uint32{0, 1, 4} // the edges entry, *, b
	for rules, selected := range map[safety.Rules]int{{}: 1, safety.Without(safety.NewLabelsCount): 0} {
		reasons, _, err := newProject(after, before).judge(rules).ask(before, viaDefault)
		if err != nil || len(reasons) != selected {
			t.Errorf("%+v: %v, %v", rules, reasons, err)
		}
	}
}

// TestAdaptor lets one edge stand for two recorded entries: covering either one selects (S2.2).
func TestAdaptor(t *testing.T) {
	const before, after = "a | a | e->b\n b | b |", "a | a | e->b\n b | c |"
	for rules, want := range map[safety.Rules]string{{}: "7 9", safety.Without(safety.AdaptorCovers): "7"} {
		p := newProject(after, before)
		p.adaptor = func(int32, int) []uint32 { return []uint32{7, 9} }
		j := p.judge(rules)
		var got []string
		for _, entry := range []uint32{6, 7, 8, 9} {
			reasons, _, err := j.ask(before, []uint32{1, entry, 20})
			if err != nil {
				t.Fatal(err)
			}
			if len(reasons) > 0 {
				got = append(got, fmt.Sprint(entry))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%+v: entries %v, want %s", rules, got, want)
		}
	}
}
