package project

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/state"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/vfs"
)

// ErrOther is returned for two watches that cannot be compared: the classes are not the same.
var ErrOther = errors.New("the class path is not the same in both runs")

// A Loss is something that a test used in a JVM of its class alone and that is not in what was recorded of it beside other tests.
type Loss struct {
	Test rts.TestID `json:"test"`
	// Used is a method, "class.name descriptor", or an entity in its printed form.
	Used string `json:"used"`
	Polluted
}

// Polluted says why a test did not use something itself, as far as it can be told; what cannot is "".
type Polluted struct {
	// By is the first test of the shared process that used it instead, or that wrote the state.
	By rts.TestID `json:"by,omitempty"`
	// State is the field that kept what the other test did, "class.field"; Reader the method through which the test reads it, Writer the one that wrote it.
	State  string `json:"state,omitempty"`
	Reader string `json:"reader,omitempty"`
	Writer string `json:"writer,omitempty"`
}

// A Passed is what tests of a class did not enter themselves because another one had, and that is in their records all the same.
type Passed struct {
	Class string `json:"class"`
	Polluted
	Methods int `json:"methods"`
}

// A Comparison is what became of the tests of one class.
type Comparison struct {
	Class   string   `json:"class"`
	Tests   int      `json:"tests"`   // compared
	Methods int      `json:"methods"` // entered alone, each counted once for each test
	Inputs  int      `json:"inputs"`  // files, properties, reflected classes and the like, likewise
	Lost    []Loss   `json:"lost,omitempty"`
	Passed  []Passed `json:"passed,omitempty"`
	Always  int      `json:"always"` // tests that run every time, so that they have nothing to lose
	// Differing are tests that did not end alike, so that they cannot be compared.
	Differing []rts.TestID `json:"differing,omitempty"`
}

// Compare compares what the tests of a top-level class used in a JVM of their own with what was recorded of them in the watch w.
func (w *Watch) Compare(alone *Watch, class string) (*Comparison, error) {
	k := &comparing{shared: w, alone: alone, out: &Comparison{Class: class}, bodies: map[int]*state.Body{}}
	lib, err := w.library()
	if err != nil {
		return nil, err
	}
	defer lib.close()
	k.lib = lib
	if err := k.explain(class); err != nil {
		return nil, err
	}
	for _, key := range alone.trace.order {
		runs := alone.trace.runs[key]
		if topClass(runs[0].traces[0].Class) != class {
			continue
		}
		if err := k.test(key, runs); err != nil {
			return nil, err
		}
	}
	return k.out, nil
}

// comparing is a comparison in the making.
type comparing struct {
	shared, alone *Watch
	lib           *library
	out           *Comparison
	why           map[int]state.Loss // by method of the plan
	bodies        map[int]*state.Body
}

// explain asks for every method that the class entered only alone who entered it instead.
func (k *comparing) explain(class string) error {
	k.why = map[int]state.Loss{}
	passed := map[Passed]int{}
	for _, other := range k.alone.recorders() {
		for _, name := range classesIn(other.trace, class) {
			for _, r := range k.shared.recorders() {
				if len(classesIn(r.trace, name)) == 0 {
					continue
				}
				if !samePlan(r.plan, other.plan) {
					return ErrOther
				}
				losses, err := state.Compare(k.lib, r.plan, r.trace, other.trace, name)
				if err != nil {
					return err
				}
				for _, l := range losses {
					if k.machinery(l.Method) {
						continue
					}
					k.why[l.Method] = l
					if l.Inherited() {
						passed[Passed{Class: name, Polluted: k.polluted(l)}]++
					}
				}
			}
		}
	}
	for p, n := range passed {
		p.Methods = n
		k.out.Passed = append(k.out.Passed, p)
	}
	slices.SortFunc(k.out.Passed, func(a, b Passed) int {
		return strings.Compare(a.Class+a.State+string(a.By)+a.Writer+a.Reader, b.Class+b.State+string(b.By)+b.Writer+b.Reader)
	})
	return nil
}

// classesIn lists the classes of a trace that are a class or inside of it and have tests.
func classesIn(t *agent.Trace, class string) []string {
	var out []string
	for _, of := range t.Tests {
		if (of.Class == class || strings.HasPrefix(of.Class, class+"$")) && !slices.Contains(out, of.Class) {
			out = append(out, of.Class)
		}
	}
	return out
}

// samePlan tells whether numbers of methods mean the same.
func samePlan(a, b *agent.Plan) bool {
	return slices.EqualFunc(a.Classes, b.Classes, func(x, y agent.Class) bool {
		return x.Hash == y.Hash && x.Length == y.Length && x.IDs == y.IDs
	})
}

// frameworks are packages whose runners take other ways when they run one class: no test is about them.
var frameworks = []string{"org/junit/", "junit/", "org/testng/", "org/apache/maven/surefire/"}

// machinery tells whether a method belongs to a test framework.
func (k *comparing) machinery(id int) bool {
	m, ok := k.plan().Method(id)
	return ok && inFramework(m.Class)
}

// ofFramework tells whether an input is a setting of a test framework, which reads it once, at whichever test comes first.
func (k *comparing) ofFramework(e rts.Entity) bool {
	local, _ := k.shared.scope.local(e.Name)
	return e.Kind == rts.KindProperty && strings.HasPrefix(local, "junit.")
}

func inFramework(class string) bool {
	return slices.ContainsFunc(frameworks, func(p string) bool { return strings.HasPrefix(class, p) })
}

func (k *comparing) plan() *agent.Plan { return k.shared.recorders()[0].plan }

func (k *comparing) polluted(l state.Loss) Polluted {
	p := Polluted{State: strings.ReplaceAll(l.Cell, "/", "."), Reader: k.method(l.Reader), Writer: k.method(l.Filler)}
	if l.Test != "" {
		p.By = k.test0(l.Test)
	}
	return p
}

// test0 is the name of the test with a key, whose invocation it may be.
func (k *comparing) test0(key string) rts.TestID {
	for _, r := range k.shared.recorders() {
		for _, t := range r.trace.Tests {
			if t.Key == key {
				key = t.Group
			}
		}
	}
	return k.shared.testID(key)
}

func (k *comparing) method(id int) string {
	if m, ok := k.plan().Method(id); ok && id >= 0 {
		return strings.ReplaceAll(m.Class, "/", ".") + "." + m.Name + m.Descriptor
	}
	return ""
}

// test compares one test.
func (k *comparing) test(key string, runs []*testRun) error {
	id := k.alone.testID(key)
	recorded, ok := k.shared.ledger.done[id]
	if !ok {
		return nil // the filter of the second run let more through than the build does
	}
	if recorded.Record.Outcome != k.alone.ledger.done[id].Record.Outcome {
		k.out.Differing = append(k.out.Differing, id)
		return nil
	}
	have := k.shared.coverageOf(recorded.Own)
	if have.always {
		k.out.Always++
		return nil
	}
	k.out.Tests++
	methods, inputs := map[int]bool{}, map[rts.Entity]bool{}
	for _, run := range runs {
		for _, f := range stretchesOf(run) {
			for _, n := range f.Methods {
				methods[n] = true
			}
			if err := k.inputs(run.in, f, inputs); err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
		}
	}
	k.judge(id, have, methods, inputs)
	return nil
}

// judge adds what is lost.
func (k *comparing) judge(id rts.TestID, have coverage, methods map[int]bool, inputs map[rts.Entity]bool) {
	var lost []Loss
	for n := range methods {
		if k.machinery(n) {
			continue
		}
		k.out.Methods++
		if !k.entered(have, n) {
			lost = append(lost, Loss{id, k.method(n), k.blame(id, n, methods, have)})
		}
	}
	for e := range inputs {
		k.out.Inputs++
		if !have.input(e) {
			lost = append(lost, Loss{id, e.String(), k.blameInput(e, methods)})
		}
	}
	slices.SortFunc(lost, func(a, b Loss) int { return strings.Compare(a.Used, b.Used) })
	k.out.Lost = append(k.out.Lost, lost...)
}

// reflectedKind stands for a class that was reflected upon.
const reflectedKind rts.Kind = "reflected class"

// inputs adds what a footprint asked the JDK for. Names below the directory for temporary files are of no use a second time.
func (k *comparing) inputs(r *recorder, f *agent.Footprint, into map[rts.Entity]bool) error {
	for _, e := range f.Events {
		name := internalName(e.Text)
		if e.Kind == agent.ClassReflected && !inFramework(name) && r.program.Place(name) != "" && !r.betweenGroups(f, name) {
			into[rts.Entity{Kind: reflectedKind, Name: name}] = true
		}
	}
	s, err := r.stretch()
	if err != nil {
		return err
	}
	uses, err := r.eventUses(s, f)
	for _, u := range uses {
		if !strings.HasPrefix(u.Entity.Name, "$temp/") && !k.ofFramework(u.Entity) {
			into[u.Entity] = true
		}
	}
	return err
}

// A coverage is what a record has: per entity its entries, or all of it.
type coverage struct {
	scope   scope
	entries map[rts.Entity]map[uint32]bool // nil: all
	always  bool                           // it has something that never holds
}

func (w *Watch) coverageOf(own rts.Footprint) coverage {
	c := coverage{scope: w.scope, entries: map[rts.Entity]map[uint32]bool{}}
	w.ledger.each(own, func(_ string, u rts.Use) {
		c.always = c.always || u.Digest == outside
		set, ok := c.entries[u.Entity]
		switch {
		case u.Entries == nil, ok && set == nil:
			c.entries[u.Entity] = nil
			return
		case !ok:
			set = map[uint32]bool{}
			c.entries[u.Entity] = set
		}
		for _, e := range u.Entries {
			set[e] = true
		}
	})
	return c
}

func (c coverage) has(e rts.Entity, entry uint32) bool {
	set, ok := c.entries[e]
	return ok && (set == nil || set[entry])
}

// input tells whether a record has something that is no method.
func (c coverage) input(e rts.Entity) bool {
	switch e.Kind {
	case reflectedKind:
		of := c.scope.entity(Class, e.Name)
		return c.has(of, table.Reflected) || c.has(of, table.Framed)
	case rts.KindProperty:
		if _, ok := c.entries[c.scope.entity(e.Kind, everyProperty)]; ok {
			return true
		}
	case rts.KindEnv:
		if _, ok := c.entries[rts.Entity{Kind: e.Kind, Name: vfs.EveryVariable}]; ok {
			return true
		}
	}
	_, ok := c.entries[e]
	return ok
}

// entered tells whether a record has a method.
func (k *comparing) entered(have coverage, id int) bool {
	m, ok := k.plan().Method(id)
	if !ok || k.shared.program.JDK(m.Class) {
		return ok
	}
	e := k.shared.scope.entity(Class, m.Class)
	t, err := k.shared.program.Table(m.Class)
	if err != nil || t == nil || m.Name == "" {
		set, ok := have.entries[e]
		return ok && set == nil
	}
	entry, ok := t.Entry(m.Name, m.Descriptor)
	return ok && have.has(e, entry)
}
