package synth

import (
	"context"
	"fmt"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/technique/dejavu"
	"winnow/internal/technique/pythia"
)

// A Project is a program as the engine sees it, with the accidents of one run.
type Project struct {
	prog *Program // what was found when the project was opened
	live *Program // what tests read while they run: somebody may be editing
	Accidents
}

// Accidents are what can happen to a run.
type Accidents struct {
	// Nonce is what no recording sees.
	Nonce int
	// StopAfter interrupts the run after so many tests, if not 0.
	StopAfter int
	Interrupt context.CancelFunc
	// Filter tells which tests the user's own filter admits; nil admits all.
	Filter func(rts.TestID) bool
	// Drop is a test that the runner silently forgets.
	Drop rts.TestID
	// EditAfter makes an edit of the files after so many tests, if Edit is not nil.
	EditAfter int
	Edit      func(files map[string]string)
}

var (
	_ engine.Project   = (*Project)(nil)
	_ engine.Rechecker = (*Project)(nil)
	_ engine.Requirer  = (*Project)(nil)
	_ dejavu.Program   = (*Project)(nil)
	_ pythia.Program   = (*Project)(nil)
)

// Open looks at a program.
func Open(p *Program, a Accidents) *Project { return &Project{prog: p.Clone(), live: p, Accidents: a} }

// Modules names the containers.
func (p *Project) Modules() []string {
	var names []string
	for _, c := range p.prog.Containers {
		names = append(names, c.Name)
	}
	return names
}

// Tests returns the tests; one that can reach a peek is opaque.
func (p *Project) Tests() []rts.Test {
	var tests []rts.Test
	for i := range p.prog.Containers {
		c := &p.prog.Containers[i]
		for k := range c.Tests {
			t := rts.Test{ID: testID(c, &c.Tests[k]), Module: c.Name}
			if p.prog.peeks(c.Tests[k].Func) || p.prog.peeks("setup:"+c.Name) {
				t.Always, t.AlwaysWhy = rts.Opaque, "it peeks"
			}
			tests = append(tests, t)
		}
	}
	return tests
}

// peeks tells whether a function can reach a peek.
func (p *Program) peeks(name string) bool {
	return p.reaches(name, map[string]bool{}, func(s Stmt) bool { return s.Op == "peek" })
}

func (p *Program) reaches(name string, seen map[string]bool, is func(Stmt) bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	found := false
	eachStmt(p.Funcs[name], func(s Stmt) {
		switch s.Op {
		case "call":
			found = found || p.reaches(s.Name, seen, is)
		case "touch":
			found = found || p.reaches("init:"+s.Name, seen, is)
		}
		found = found || is(s)
	})
	return found
}

func eachStmt(body []Stmt, f func(Stmt)) {
	for _, s := range body {
		f(s)
		eachStmt(s.Then, f)
		eachStmt(s.Else, f)
		for _, c := range s.Cases {
			eachStmt(c.Body, f)
		}
	}
}

// Digest tells what an entity is.
func (p *Project) Digest(e rts.Entity) digest.Digest { return p.prog.Digest(e) }

// Digest tells what an entity of the program is.
func (p *Program) Digest(e rts.Entity) digest.Digest {
	switch e.Kind {
	case KindFunc:
		if body, ok := p.Funcs[e.Name]; ok {
			return p.forms.of(body).digest
		}
	case rts.KindFile:
		if c, ok := p.Files[e.Name]; ok {
			if c == Unreadable {
				return digest.Unknown
			}
			return digest.OfString(c)
		}
	case rts.KindDir:
		return digest.OfString(listing(p.Files, e.Name))
	case rts.KindTool:
		return digest.OfString(p.Tool)
	case rts.KindTest:
		for i := range p.Containers {
			c := &p.Containers[i]
			for k := range c.Tests {
				if d := &c.Tests[k]; string(testID(c, d)) == e.Name {
					return digest.OfString(fmt.Sprint(d.Func, d.Arg))
				}
			}
		}
	}
	return digest.Absent
}

// Required returns the declared files.
func (p *Project) Required(rts.TestID) []rts.Entity {
	var out []rts.Entity
	for _, name := range sortedKeys(p.prog.Declared) {
		out = append(out, rts.Entity{Kind: rts.KindFile, Name: name})
	}
	return out
}

// Recheck returns what the program is by now.
func (p *Project) Recheck() (rts.Snapshot, error) { return p.live.Clone(), nil }

// process starts a process on what was found when the project was opened.
func (p *Project) process(share func(rts.Footprint) int) *process {
	return &process{
		code: p.prog, files: p.live.Files, tool: p.prog.Tool, nonce: p.Nonce, snap: p.prog,
		units: map[string]*unit{}, share: share,
	}
}

// Run runs the tests in one process; one that takes it down leaves the rest to a new one.
func (p *Project) Run(ctx context.Context, tests []rts.TestID, sink engine.Sink) error {
	chosen := map[rts.TestID]bool{}
	for _, t := range tests {
		chosen[t] = true
	}
	p.bodies(sink)
	proc := p.process(sink.Shared)
	done := 0
	for i := range p.prog.Containers {
		c := &p.prog.Containers[i]
		for k := range c.Tests {
			id := testID(c, &c.Tests[k])
			if !chosen[id] || id == p.Drop {
				continue
			}
			if p.Filter != nil && !p.Filter(id) {
				sink.NotRun(id, "not in the filter")
				continue
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			rec, own, _ := proc.run(c, &c.Tests[k])
			sink.Done(engine.Result{Record: rec, Own: own})
			if rec.Outcome == rts.Killed {
				proc = p.process(sink.Shared)
			}
			done++
			p.accident(done)
		}
	}
	return nil
}

func (p *Project) accident(done int) {
	if p.Edit != nil && done == p.EditAfter {
		p.Edit(p.live.Files)
	}
	if p.StopAfter > 0 && done == p.StopAfter {
		p.Interrupt()
	}
}

// bodies hands over the bodies of the functions, except some: a store may lack one.
func (p *Project) bodies(sink engine.Sink) {
	for _, body := range p.prog.Funcs {
		if f := p.prog.forms.of(body); f.digest[0]%8 != 0 {
			sink.Body(f.digest, f.text)
		}
	}
}

// Now returns the present body of a function, for the techniques.
func (p *Project) Now(e rts.Entity) ([]byte, bool) {
	body, ok := p.prog.Funcs[e.Name]
	if e.Kind != KindFunc || !ok {
		return nil, false
	}
	return p.prog.forms.of(body).text, true
}

// Decode reads a body as a control-flow graph.
func (p *Project) Decode(text []byte) (*dejavu.Body, error) {
	body, err := Parse(string(text))
	if err != nil {
		return nil, err
	}
	if strings.Contains(string(text), "odd ") {
		return nil, fmt.Errorf("a body with odd statements cannot be read")
	}
	code := Lower(body)
	words := make([]string, len(code.Nodes))
	for i := range code.Nodes {
		words[i] = code.Nodes[i].Word
	}
	return &dejavu.Body{Graph: code, Words: words, Entries: code.Entries, Default: Default}, nil
}

// Blocks cuts a body into the basic blocks of its printed form.
func (p *Project) Blocks(text []byte) (*pythia.Source, error) {
	body, err := Parse(string(text))
	if err != nil {
		return nil, err
	}
	return blocks(body), nil
}
