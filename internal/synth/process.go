package synth

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

// Kinds of entities.
const (
	KindFunc rts.Kind = "func"
)

// Unreadable is the content of a file that cannot be read.
const Unreadable = "\x00"

// A trace collects what runs.
type trace struct {
	entries    map[string]map[uint32]bool // function → probes fired; absent functions have no entry here
	uses       map[rts.Entity]digest.Digest
	includes   []int
	incomplete bool
	flaky      bool
	// unseen means that something was read that is neither recorded nor declared: nothing is promised about such a test.
	unseen bool
}

func newTrace() *trace {
	return &trace{entries: map[string]map[uint32]bool{}, uses: map[rts.Entity]digest.Digest{}}
}

// footprint returns the trace as a footprint.
func (t *trace) footprint(label string, snap rts.Snapshot) rts.Footprint {
	f := rts.Footprint{Label: label, Includes: t.includes}
	for e, d := range t.uses {
		f.Uses = append(f.Uses, rts.Use{Entity: e, Digest: d})
	}
	for name, fired := range t.entries {
		e := rts.Entity{Kind: KindFunc, Name: name}
		u := rts.Use{Entity: e, Digest: snap.Digest(e), Entries: []uint32{}}
		for p := range fired {
			u.Entries = append(u.Entries, p)
		}
		slices.Sort(u.Entries)
		f.Uses = append(f.Uses, u)
	}
	f.Uses = rts.SortUses(f.Uses)
	return f
}

// ending is how code stopped.
type ending int

const (
	ran ending = iota
	failed
	killed
)

// A unit is initialization or set-up: it runs once per process and its footprint is shared.
type unit struct {
	value  int
	end    ending
	shared int
	trace  *trace
}

// A process runs tests one after the other. Code is what was loaded at the start; files are read when they are read.
type process struct {
	code  *Program
	files map[string]string
	tool  string
	nonce int // what no recording sees
	snap  rts.Snapshot
	units map[string]*unit
	share func(rts.Footprint) int
}

func hashOf(s string) int {
	h := fnv.New32a()
	h.Write([]byte(s))
	return int(h.Sum32() % 9973)
}

// unit runs init or set-up code unless this process has done so. Who includes it shares its footprint.
func (p *process) unit(name string, by *trace) *unit {
	u := p.units[name]
	if u == nil {
		u = &unit{trace: newTrace()}
		p.units[name] = u
		u.value, u.end = p.call(name, hashOf(name), u.trace)
		if u.end != killed {
			u.shared = p.share(u.trace.footprint(name, p.snap))
		}
	}
	if u.end != killed {
		by.includes = append(by.includes, u.shared)
	}
	by.incomplete = by.incomplete || u.trace.incomplete
	by.flaky = by.flaky || u.trace.flaky
	by.unseen = by.unseen || u.trace.unseen
	return u
}

// call runs a function.
func (p *process) call(name string, acc int, t *trace) (int, ending) {
	body, ok := p.code.Funcs[name]
	if !ok {
		t.uses[rts.Entity{Kind: KindFunc, Name: name}] = digest.Absent
		return acc*3 + 1, ran
	}
	code := p.code.forms.of(body).code
	fired := t.entries[name]
	if fired == nil {
		fired = map[uint32]bool{}
		t.entries[name] = fired
	}
	fired[0] = true
	for n := int32(0); n != 1; {
		node := &code.Nodes[n]
		label, end := "", ran
		acc, label, end = p.step(node, acc, t)
		if end != ran {
			return acc, end
		}
		k := node.take(label)
		if node.Probe[k] != 0 {
			fired[node.Probe[k]] = true
		}
		n = node.Out[k].To
	}
	return acc, ran
}

// take returns the edge with the label, else the default one.
func (n *Node) take(label string) int {
	def := 0
	for i, e := range n.Out {
		if e.Label == label {
			return i
		}
		if e.Label == Default {
			def = i
		}
	}
	return def
}

// step executes one node and names the way out.
func (p *process) step(n *Node, acc int, t *trace) (int, string, ending) {
	s := n.Stmt
	switch s.Op {
	case "add", "odd":
		return wrap(acc + s.K), "", ran
	case "mul":
		return wrap(acc * s.K), "", ran
	case "call":
		v, end := p.call(s.Name, acc, t)
		return wrap(v), "", end
	case "touch":
		u := p.unit("init:"+s.Name, t)
		return wrap(acc + u.value), "", u.end
	case "read":
		e := rts.Entity{Kind: rts.KindFile, Name: s.Name}
		t.uses[e] = p.snap.Digest(e)
		return wrap(acc + p.content(s.Name)), "", ran
	case "secret":
		t.unseen = t.unseen || !p.code.Declared[s.Name]
		return wrap(acc + p.content(s.Name)), "", ran
	case "native":
		t.incomplete = true
		return wrap(acc + p.content(s.Name)), "", ran
	case "list":
		e := rts.Entity{Kind: rts.KindDir, Name: s.Name}
		t.uses[e] = p.snap.Digest(e)
		return wrap(acc + hashOf(listing(p.files, s.Name))), "", ran
	case "tool":
		return wrap(acc + hashOf(p.tool)), "", ran
	case "peek":
		return wrap(acc + p.nonce), "", ran
	case "flaky":
		t.flaky = true
		return acc, "", endIf(p.nonce%s.K == 0, failed)
	case "check":
		return acc, "", endIf(acc%53 == s.K, failed)
	case "kill":
		return acc, "", endIf(acc%31 == s.K, killed)
	case "if":
		if acc%s.K != 0 {
			return acc, "T", ran
		}
		return acc, "F", ran
	case "switch":
		return acc, strconv.Itoa(acc % 4), ran
	}
	return acc, "", ran // the entry
}

func wrap(acc int) int { return acc % 1000003 }

func endIf(cond bool, e ending) ending {
	if cond {
		return e
	}
	return ran
}

func (p *process) content(name string) int {
	c, ok := p.files[name]
	switch {
	case !ok:
		return 7
	case c == Unreadable:
		return p.nonce
	}
	return hashOf(c)
}

// listing returns the names in a directory.
func listing(files map[string]string, dir string) string {
	var names []string
	for n := range files {
		if strings.HasPrefix(n, dir+"/") {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// run runs one test and returns its record with its own footprint.
func (p *process) run(c *Container, def *TestDef) (rts.Record, rts.Footprint, *trace) {
	t := newTrace()
	for _, e := range []rts.Entity{testEntity(c, def), {Kind: rts.KindTool, Name: "synth"}} {
		t.uses[e] = p.snap.Digest(e) // the fingerprint is an input of every test (S1.12)
	}
	for name := range p.code.Declared {
		e := rts.Entity{Kind: rts.KindFile, Name: name}
		t.uses[e] = p.snap.Digest(e)
	}
	setup := p.unit("setup:"+c.Name, t)
	acc, end := setup.value, setup.end
	if end == ran {
		acc, end = p.call(def.Func, wrap(setup.value+def.Arg), t)
	}
	rec := rts.Record{Test: testID(c, def), Incomplete: t.incomplete}
	switch end {
	case ran:
		rec.Outcome = rts.Passed
	case failed:
		rec.Outcome = rts.Failed
	case killed:
		rec.Outcome, rec.Incomplete = rts.Killed, true
	}
	rec.Result = digest.OfString(strconv.Itoa(acc))
	return rec, t.footprint("", p.snap), t
}

func testID(c *Container, d *TestDef) rts.TestID { return rts.TestID(c.Name + "." + d.Name) }

func testEntity(c *Container, d *TestDef) rts.Entity {
	return rts.Entity{Kind: rts.KindTest, Name: string(testID(c, d))}
}
