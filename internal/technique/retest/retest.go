// Package retest selects the tests that take a dangerous edge of the Java Interclass Graph (package jvm/jig).
//
// The walk over the graphs of two revisions gives dangerous edges; the adaptor of a level says which recorded entities stand for each. The levels are those of the paper:
//
//   - Edges: edges of control flow inside methods, calls by the class of their receiver.
//   - Types: what the paper's system recorded: entries of methods, instantiations, calls with the class of the receiver. An edge inside a method stands for its entry, unless it leads to a call or an instantiation.
//   - Methods: entries of methods.
//
// What an edge becomes: one inside a method as above; a call edge its target entered with that receiver (at Methods: entered), if the target is external the call (at Methods and Types: the method of the call); a
// call-back its target's entry; the default edge of a class its instantiation (at Methods: its constructors); an exception on its way to handlers the entries of these. Where the last of these does not catch everything it is the
// entry of the try block, because nothing records what leaves it.
//
// Where a test's trace has no details, or a method has no probes for edges, the level below decides, and the reason says so. Tests are selected one by one; one that failed when it last ran is selected again.
//
// What it misses by design: changes that show only through reflection on internal classes, and in files that are not classes. Two things that the paper takes for fixed are looked at all the same: what a test runner sees
// of a test class that has annotated tests, apart from the tests; and library classes of which the test entered a method.
//
// Citation: M. J. Harrold et al., "Regression test selection for Java software", OOPSLA 2001.
package retest

import (
	"cmp"
	"fmt"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/jig"
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique"
)

// A Level is the granularity of what counts as recorded.
type Level uint8

// The levels, the most precise first.
const (
	Edges Level = iota
	Types
	Methods
)

// The assumptions of its own.
var (
	NoReflection = rts.Assumption{Name: "no-reflection", Says: "no test depends on reflection about classes of the project"}
	Independent  = rts.Assumption{Name: "independent-libraries", Says: "libraries know no class of the project and do not change behind methods that a test did not enter"}
)

// Technique is Retest at the level of edges.
var Technique = of("retest", "dangerous edges of the Java Interclass Graph", "edges of control flow, and methods entered with the class of the receiver")

// TypesTechnique is Retest at the level that the paper's system had.
var TypesTechnique = of("retest-types", "dangerous edges, by instantiations, calls with receiver types and method entries", "instantiations, calls with the class of the receiver, methods entered")

// MethodsTechnique is Retest at the level of methods.
var MethodsTechnique = of("retest-methods", "dangerous edges, by method entries", "methods entered")

func of(name, title, traces string) technique.Technique {
	return technique.Technique{
		Name:        name,
		Title:       title,
		Citation:    "M. J. Harrold, J. A. Jones, T. Li, D. Liang, A. Orso, M. Pennings, S. Sinha, S. A. Spoon, A. Gujarathi: Regression test selection for Java software. OOPSLA 2001",
		Words:       "instructions with constants resolved, the whole supertypes of what is instantiated, the class that declares a field",
		Order:       "the Java Interclass Graph: control flow, calls by receiver type, call-backs from external code",
		Traces:      traces + "; by test method",
		Equivalence: "equal normalized text",
		Bias: rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.StableWords, rts.LexicalWords, rts.ControlFlowKnown,
			NoReflection, Independent},
		ShownOn: "Maven projects, by comparison",
	}
}

// New makes a selector of a level.
func New(level Level) observed.Selector {
	return &selector{level: level, last: map[string]last{}}
}

// A last is a test's last run, and what it ran on.
type last struct {
	run observed.Run
	on  *observed.Program
}

type selector struct {
	level   Level
	builder jig.Builder
	last    map[string]last
}

// Ran remembers what tests did.
func (s *selector) Ran(now *observed.Program, runs []observed.Run) error {
	for _, r := range runs {
		s.last[r.Test.ID] = last{r, now}
	}
	return nil
}

// Select compares the program with each revision at which a test last ran.
func (s *selector) Select(now *observed.Program, tests []observed.Test) (observed.Selection, error) {
	out := observed.Selection{}
	var revisions []*observed.Program
	ran := map[*observed.Program][]last{}
	for _, t := range tests {
		l, ok := s.last[t.ID]
		switch {
		case !ok:
			out[t.ID] = "new"
		case !l.run.Passed:
			out[t.ID] = "failed before"
		case l.run.Trace == nil:
			out[t.ID] = "nothing was recorded"
		default:
			if ran[l.on] == nil {
				revisions = append(revisions, l.on)
			}
			ran[l.on] = append(ran[l.on], l)
		}
	}
	s.builder.Keep(append(revisions, now)...)
	if len(revisions) == 0 {
		return out, nil
	}
	new, err := s.builder.Build(now)
	if err != nil {
		return nil, fmt.Errorf("retest: %w", err)
	}
	for _, old := range revisions {
		if err := s.judge(old, new, ran[old], out); err != nil {
			return nil, fmt.Errorf("retest: %w", err)
		}
	}
	return out, nil
}

// judge selects among the tests that last ran at one revision.
func (s *selector) judge(old *observed.Program, new *jig.Graph, ran []last, out observed.Selection) error {
	before, err := s.builder.Build(old)
	if err != nil {
		return err
	}
	compared, err := jig.Compare(before, new)
	if err != nil {
		return err
	}
	ask := map[Level]*index{}
	changed := newChanges(old, new.Program)
	for _, l := range ran {
		level := s.level
		if !l.run.Trace.Detailed {
			level = Methods
		}
		if ask[level] == nil {
			if ask[level], err = adapt(compared, level); err != nil {
				return err
			}
		}
		why := cmp.Or(ask[level].why(l.run.Trace), changed.library(l.run.Trace), changed.frame(l.run.Test.Class))
		if why == "" {
			continue
		}
		if level != s.level {
			why += " (by methods: edges were not recorded)"
		}
		out[l.run.Test.ID] = why
	}
	return nil
}

// changes are differences of two revisions that are not in their graphs.
type changes struct {
	old, new  *observed.Program
	libraries map[string]bool
	frames    map[string]string
}

func newChanges(old, new *observed.Program) *changes {
	return &changes{old, new, map[string]bool{}, map[string]string{}}
}

// library finds a class of a library that the test used and that is another one now.
func (c *changes) library(t *observed.Trace) string {
	for _, name := range t.Libraries {
		differs, ok := c.libraries[name]
		if !ok {
			differs = !c.old.Checksum(name).Same(c.new.Checksum(name))
			c.libraries[name] = differs
		}
		if differs {
			return name + " changed"
		}
	}
	return ""
}

// frame tells whether a test runner sees another test class, apart from its tests. Superclasses count, because runners look at them too.
func (c *changes) frame(class string) string {
	why, ok := c.frames[class]
	if ok {
		return why
	}
	for name := class; c.old.Internal(name); name = c.old.Class(name).File.SuperName() {
		if !rest(c.old, name).Same(rest(c.new, name)) {
			why = name + " changed as test runners see it"
			break
		}
	}
	c.frames[class] = why
	return why
}

// rest is the digest of what a test runner sees of a class; Absent if it has no annotated tests.
func rest(p *observed.Program, name string) digest.Digest {
	class := p.Class(name)
	if class == nil {
		return digest.Absent
	}
	f, err := class.Canon.Frame()
	switch {
	case err != nil:
		return digest.Unknown
	case f == nil:
		return digest.Absent
	}
	return f.Rest
}

// entered tells whether a trace has a method.
func entered(t *observed.Trace, m observed.Method) bool {
	_, ok := slices.BinarySearchFunc(t.Entered, m, observed.Method.Compare)
	return ok
}
