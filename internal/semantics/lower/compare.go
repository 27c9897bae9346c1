package lower

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/semantics/minijvm"
)

// The flags as a JVM lets them be seen.
const (
	flagDone   = "done"
	flagFailed = "failed"
	flagNot    = "not"
)

func flagText(f minijvm.Flag) string {
	switch f {
	case minijvm.Done:
		return flagDone
	case minijvm.Error:
		return flagFailed
	}
	return flagNot
}

// classList is the list of a program's classes for the driver. Classes with a mark may be initialized when all else is known: those that failed, in which nothing runs, and those
// that have not been initialized and whose initialization has no effect on others.
func (pr *Prediction) classList(p *minijvm.Program) string {
	var b strings.Builder
	for _, c := range own(p).All() {
		b.WriteString(" " + p.Names.Class(c))
		if pr.state.Flag(c) == minijvm.Error || pr.quiet(p, c) {
			b.WriteString("!")
		}
	}
	return b.String()
}

// harmless are the instructions that affect no class.
var harmless = []minijvm.Op{minijvm.Load, minijvm.Store, minijvm.Push, minijvm.Return, minijvm.Pop, minijvm.IAdd, minijvm.CmpEq}

func (pr *Prediction) quiet(p *minijvm.Program, c minijvm.ClassID) bool {
	for _, d := range (p.Above(c) & own(p)).All() {
		if pr.state.Flag(d) == minijvm.Error {
			return false
		}
		for _, in := range p.Class(d).Method(minijvm.Clinit).Code {
			if pr.state.Flag(d) != minijvm.Done && !slices.Contains(harmless, in.Op) {
				return false
			}
		}
	}
	return pr.state.Flag(c) != minijvm.Done
}

// Compare lists the disagreements between a prediction and an observation of a case.
func (c *Case) Compare(o *Observation) []string {
	var out []string
	l := &lowering{p: c.Program, prefix: c.pkg() + "/", bare: c.Form.Bare}
	if len(o.Runs) != len(c.Predicted.Runs) {
		return []string{fmt.Sprintf("%d runs instead of %d", len(o.Runs), len(c.Predicted.Runs))}
	}
	for i, run := range o.Runs {
		want := c.Predicted.Runs[i]
		if w := l.printed(want.Raised); run.Raised != w {
			out = append(out, fmt.Sprintf("run %d ends with %s, the semantics says %s", i+1, run.Raised, w))
		}
		if missed := want.Smart &^ c.set(run.Collected); missed != 0 {
			out = append(out, fmt.Sprintf("run %d: %s not in the record, which has %s; smart is %s", i+1, c.Program.Names.Text(missed), c.Program.Names.Text(c.set(run.Collected)), c.Program.Names.Text(want.Smart)))
		}
	}
	return append(out, c.compareState(l, o)...)
}

// printed is the name of a class as Java prints it, "-" for none.
func (l *lowering) printed(c minijvm.ClassID) string {
	if c == minijvm.NoClass {
		return "-"
	}
	return strings.ReplaceAll(l.created(c), "/", ".")
}

// set turns names into a set of the program's classes.
func (c *Case) set(names map[string][]uint32) minijvm.Set {
	var s minijvm.Set
	for _, id := range own(c.Program).All() {
		if _, ok := names[c.Program.Names.Class(id)]; ok {
			s |= minijvm.SetOf(id)
		}
	}
	return s
}

// compareState compares the static fields and flags at the end.
func (c *Case) compareState(l *lowering, o *Observation) []string {
	var out []string
	s, names := &c.Predicted.state, c.Program.Names
	for _, id := range own(c.Program).All() {
		class := names.Class(id)
		if want := flagText(s.Flag(id)); o.Flags[class] != want {
			out = append(out, fmt.Sprintf("class %s: %s, the semantics says %s", class, o.Flags[class], want))
		}
		for _, f := range c.Program.Class(id).Fields {
			if !f.Static {
				continue
			}
			v, known := s.Static(id, f.Name)
			if !known {
				v = f.Type.Default()
			}
			name := class + "." + names.Member(f.Name)
			if want := l.value(s, v); o.Statics[name] != want {
				out = append(out, fmt.Sprintf("%s is %s, the semantics says %s", name, o.Statics[name], want))
			}
		}
	}
	return out
}

// value is a value as the driver prints it: of an object, its class.
func (l *lowering) value(s *minijvm.State, v minijvm.Value) string {
	if a, ok := v.Addr(); ok {
		class, _ := s.ClassOf(a)
		return l.printed(class)
	}
	if v == minijvm.Null {
		return "-"
	}
	return v.String()
}
