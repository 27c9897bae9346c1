package synth

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

const (
	funcs   = 5
	modules = 2
	plain   = 3 // functions from this number on touch no module
)

// Generate makes a random program. Functions call only functions with a larger number, so every run ends.
func Generate(r *rand.Rand) *Program {
	p := &Program{Funcs: map[string][]Stmt{}, Files: map[string]string{}, Tool: "1", Declared: map[string]bool{}, forms: forms{}}
	for i := range funcs {
		name := fmt.Sprint("f", i)
		p.Funcs[name] = body(r, reachOf(name), 3)
	}
	for i := range modules {
		name := fmt.Sprint("init:m", i)
		p.Funcs[name] = body(r, reachOf(name), 2)
	}
	for i := range 2 {
		c := Container{Name: fmt.Sprint("c", i)}
		if r.IntN(3) > 0 {
			p.Funcs["setup:"+c.Name] = body(r, reachOf("setup"), 2)
		}
		for k := range 1 + r.IntN(3) {
			c.Tests = append(c.Tests, TestDef{fmt.Sprint("t", k), fmt.Sprint("f", r.IntN(2)), r.IntN(50)})
		}
		p.Containers = append(p.Containers, c)
	}
	for range r.IntN(4) {
		p.Files[fileName(r)] = fmt.Sprint(r.IntN(5))
	}
	return p
}

func fileName(r *rand.Rand) string { return fmt.Sprintf("d%d/f%d", r.IntN(2), r.IntN(2)) }

// A reach says which functions and modules code may use: those with at least these numbers.
type reach struct{ fn, module int }

// reachOf keeps calls and initialization free of cycles: a function calls functions with larger numbers, an initializer calls only
// functions that touch nothing, and touches modules with larger numbers.
func reachOf(name string) reach {
	n := 0
	if _, err := fmt.Sscanf(name, "f%d", &n); err == nil {
		if n < plain {
			return reach{n + 1, 0}
		}
		return reach{n + 1, modules}
	}
	if _, err := fmt.Sscanf(name, "init:m%d", &n); err == nil {
		return reach{plain, n + 1}
	}
	return reach{1, 0}
}

// body makes random statements.
func body(r *rand.Rand, to reach, depth int) []Stmt {
	var out []Stmt
	for range 1 + r.IntN(4) {
		out = append(out, stmt(r, to, depth))
	}
	return out
}

func stmt(r *rand.Rand, to reach, depth int) Stmt {
	switch k := r.IntN(40); {
	case k < 6:
		return Stmt{Op: "add", K: 1 + r.IntN(20)}
	case k < 9:
		return Stmt{Op: "mul", K: 2 + r.IntN(5)}
	case k < 15:
		return Stmt{Op: "call", Name: fmt.Sprint("f", to.fn+r.IntN(2))}
	case k < 18 && to.module < modules:
		return Stmt{Op: "touch", Name: fmt.Sprint("m", to.module+r.IntN(modules-to.module))}
	case k < 20:
		return Stmt{Op: "read", Name: fileName(r)}
	case k < 22:
		return Stmt{Op: "list", Name: fmt.Sprint("d", r.IntN(2))}
	case k < 23:
		return Stmt{Op: "tool"}
	case k < 24:
		return Stmt{Op: "check", K: r.IntN(53)}
	case k < 25:
		return rare(r)
	case k < 34 && depth > 0:
		return Stmt{Op: "if", K: 2 + r.IntN(3), Then: body(r, to, depth-1), Else: body(r, to, depth-1)}
	case k < 37 && depth > 0:
		s := Stmt{Op: "switch", Else: body(r, to, depth-1)}
		for label := range 4 {
			if r.IntN(3) == 0 {
				s.Cases = append(s.Cases, Case{label, body(r, to, depth-1)})
			}
		}
		return s
	}
	return Stmt{Op: "add", K: r.IntN(100)}
}

// rare makes one of the statements that would spoil most programs if they were common.
func rare(r *rand.Rand) Stmt {
	switch r.IntN(8) {
	case 6, 7:
		return Stmt{Op: "secret", Name: fileName(r)}
	case 0:
		return Stmt{Op: "kill", K: r.IntN(31)}
	case 1:
		return Stmt{Op: "flaky", K: 2}
	case 2:
		return Stmt{Op: "peek"}
	case 3:
		return Stmt{Op: "native", Name: fileName(r)}
	case 4:
		return Stmt{Op: "odd", K: r.IntN(10)}
	}
	return Stmt{Op: "check", K: r.IntN(53)}
}

// Edit makes one random change to a program and says what it did.
func Edit(p *Program, r *rand.Rand) string {
	switch k := r.IntN(20); {
	case k < 10:
		return editBody(p, r)
	case k < 13:
		return editFile(p, r)
	case k < 14:
		p.Tool = fmt.Sprint(r.IntN(3))
		return "tool " + p.Tool
	case k < 15:
		return editTest(p, r)
	case k < 17:
		return editFunc(p, r)
	}
	return editBody(p, r)
}

func editFunc(p *Program, r *rand.Rand) string {
	names := []string{fmt.Sprint("f", 2+r.IntN(funcs-1)), fmt.Sprint("setup:c", r.IntN(2)), fmt.Sprint("init:m", r.IntN(modules))}
	name := names[r.IntN(len(names))]
	if _, ok := p.Funcs[name]; ok {
		delete(p.Funcs, name)
		return "remove " + name
	}
	p.Funcs[name] = body(r, reachOf(name), 2)
	return "add " + name
}

func editTest(p *Program, r *rand.Rand) string {
	c := &p.Containers[r.IntN(len(p.Containers))]
	switch k := r.IntN(3); {
	case k == 0 && len(c.Tests) > 1:
		c.Tests = c.Tests[:len(c.Tests)-1]
		return "remove a test of " + c.Name
	case k == 1 && len(c.Tests) < 4:
		c.Tests = append(c.Tests, TestDef{fmt.Sprint("t", len(c.Tests)), fmt.Sprint("f", r.IntN(2)), r.IntN(50)})
		return "add a test to " + c.Name
	}
	t := &c.Tests[r.IntN(len(c.Tests))]
	t.Arg = r.IntN(50)
	return "argument of " + c.Name + "." + t.Name
}

func editFile(p *Program, r *rand.Rand) string {
	name := fileName(r)
	switch k := r.IntN(8); {
	case k == 0:
		delete(p.Files, name)
		return "remove " + name
	case k == 1:
		p.Files[name] = Unreadable
		return "make unreadable " + name
	case k <= 3 && p.Declared[name]:
		delete(p.Declared, name)
		return "declare no more " + name
	case k <= 3:
		p.Declared[name] = true
		return "declare " + name
	}
	p.Files[name] = fmt.Sprint(r.IntN(5))
	return "write " + name
}

// editBody changes one place of one function: a number, a statement more or less, a branch, a case more or less.
func editBody(p *Program, r *rand.Rand) string {
	names := sortedKeys(p.Funcs)
	name := names[r.IntN(len(names))]
	p.Funcs[name] = change(p.Funcs[name], r, reachOf(name), 3)
	return "edit " + name
}

// change returns a changed copy of a body.
func change(old []Stmt, r *rand.Rand, to reach, depth int) []Stmt {
	out := slices.Clone(old)
	if len(out) == 0 || r.IntN(5) == 0 {
		return slices.Insert(out, r.IntN(len(out)+1), stmt(r, to, depth-1))
	}
	i := r.IntN(len(out))
	s := &out[i]
	switch k := r.IntN(4); {
	case s.Op == "if" && k > 0:
		if r.IntN(2) == 0 {
			s.Then = change(s.Then, r, to, depth-1)
		} else {
			s.Else = change(s.Else, r, to, depth-1)
		}
	case s.Op == "switch" && k > 0:
		s.Cases = changeCases(s, r, to, depth)
	case k == 1:
		return slices.Delete(out, i, i+1)
	case k == 2:
		*s = stmt(r, to, depth-1)
	default:
		s.K = 1 + (s.K+r.IntN(7))%12
		if s.Op == "flaky" || s.Op == "if" {
			s.K = 2 + s.K%3
		}
	}
	return out
}

func changeCases(s *Stmt, r *rand.Rand, to reach, depth int) []Case {
	cases := slices.Clone(s.Cases)
	label := r.IntN(4)
	i, found := slices.BinarySearchFunc(cases, label, func(c Case, l int) int { return c.Label - l })
	switch {
	case r.IntN(4) == 0:
		s.Else = change(s.Else, r, to, depth-1)
	case found && r.IntN(2) == 0:
		cases[i].Body = change(cases[i].Body, r, to, depth-1)
	case found:
		return slices.Delete(cases, i, i+1)
	default:
		return slices.Insert(cases, i, Case{label, body(r, to, 0)})
	}
	return cases
}
