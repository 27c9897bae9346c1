package methods

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/technique"
)

// Technique describes the technique for JVM programs.
var Technique = technique.Technique{
	Name:        "methods",
	Title:       "methods entered, classes touched, calls that find another method",
	Citation:    "X. Ren, F. Shah, F. Tip, B. G. Ryder, O. Chesley: Chianti, a tool for change impact analysis of Java programs. OOPSLA 2004",
	Words:       "bodies of methods, link and reflect parts of classes",
	Order:       "none: a complete graph over methods and classes, and the targets of calls",
	Traces:      "the methods entered and the classes touched, in any order",
	Equivalence: "equal normal forms under canonical names, equal targets of dispatch",
	Bias:        rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.ReferencesKnown, rts.StableWords},
	ShownOn:     "JVM programs",
}

// KindClass is the kind of entities that are classes.
const KindClass rts.Kind = "class"

// The rules of this technique; see docs/safety.md.
const (
	Bodies     safety.Rule = "S7.1"
	Link       safety.Rule = "S7.2"
	Reflection safety.Rule = "S7.3"
	Dispatch   safety.Rule = "S7.4"
	Undecided  safety.Rule = "S7.5"
)

// Now is the present state of what was recorded.
type Now interface {
	// Find returns the program to which an entity of kind class belongs, and the name in the file of its class, which is the end of the entity's name. It is the
	// same program for all entities with the same beginning of the name.
	Find(e rts.Entity) (p Program, class string, ok bool)
}

// A Program is what the technique asks about classes; *table.Program is one.
type Program interface {
	Table(class string) (*table.Table, error)
	Canonical(name string) (file string, ok bool)
	Raw(name string) bool
	Subtypes(worldNames ...string) ([]string, error)
	World() *hierarchy.World
}

var _ Program = (*table.Program)(nil)

// New returns a judge of the present state.
func New(old technique.Bodies, now Now, rules safety.Rules) technique.Judge {
	return &judge{old: old, now: now, rules: rules, known: map[version]*change{}, scopes: map[string]*scope{}}
}

type judge struct {
	old    technique.Bodies
	now    Now
	rules  safety.Rules
	known  map[version]*change
	scopes map[string]*scope // by the beginning of the names of their entities
}

type version struct {
	entity rts.Entity
	old    digest.Digest
}

// Judge decides about a trace.
func (j *judge) Judge(t technique.Trace) (reasons []rts.Reason, harmless []rts.Difference, err error) {
	changes := make([]*change, 0, len(t.Stale))
	for _, s := range t.Stale {
		if s.Use.Entity.Kind != KindClass {
			reasons = append(reasons, s.Reason())
			continue
		}
		c, err := j.change(s)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.Use.Entity, err)
		}
		if why, hit := j.hit(c, s); hit {
			r := s.Reason()
			r.Detail = why
			reasons = append(reasons, r)
		}
		changes = append(changes, c)
	}
	if len(reasons) == 0 {
		if reasons, err = j.dispatch(t, changes); err != nil {
			return nil, nil, err
		}
	}
	if len(reasons) > 0 {
		return reasons, nil, nil
	}
	for i, s := range t.Stale {
		harmless = append(harmless, rts.Difference{Entity: s.Use.Entity, Why: changes[i].harmless(s)})
	}
	return nil, harmless, nil
}

// hit tells whether a use is affected by the change of its class alone, and how.
func (j *judge) hit(c *change, s technique.Stale) (string, bool) {
	switch {
	case c.undecided != "": // (S7.5)
		return c.undecided, j.rules.Hold(Undecided)
	case c.link != "" && j.rules.Hold(Link): // (S7.2)
		return c.link, true
	case s.Use.Entries == nil:
		return "the whole class counts", true
	}
	for _, m := range c.methods { // (S7.1)
		if covers(s.Use, m.entry) && j.rules.Hold(Bodies) {
			return m.why, true
		}
	}
	switch {
	case c.reflect && covers(s.Use, table.Reflected) && j.rules.Hold(Reflection): // (S7.3)
		return "what reflection shows of " + c.old.Name, true
	case c.frame && covers(s.Use, table.Framed) && j.rules.Hold(Reflection): // (S7.3)
		return "what a test framework sees of " + c.old.Name, true
	}
	return "", false
}

func covers(u rts.Use, entry uint32) bool {
	if u.Entries == nil {
		return true
	}
	_, ok := slices.BinarySearch(u.Entries, entry)
	return ok
}

// change compares the recorded table of a class with the present one, once.
func (j *judge) change(s technique.Stale) (*change, error) {
	key := version{s.Use.Entity, s.Use.Digest}
	if c, ok := j.known[key]; ok {
		return c, nil
	}
	c, err := j.compare(s)
	if err != nil {
		return nil, err
	}
	c.id = uint32(len(j.known))
	j.known[key] = c
	return c, nil
}

// compare finds the two tables of a stale class.
func (j *judge) compare(s technique.Stale) (*change, error) {
	undecided := func(why string) (*change, error) { return &change{undecided: why}, nil }
	switch {
	case s.Use.Digest == digest.Absent:
		return undecided("it was not there")
	case s.Now == digest.Unknown:
		return undecided("it cannot be read")
	}
	body, ok, err := j.old.Body(s.Use.Digest)
	if err != nil {
		return nil, err
	}
	if !ok { // (S2.1)
		if !j.rules.Hold(safety.MissingBodyIsWhole) {
			return &change{}, nil
		}
		return undecided("its recorded table is not known")
	}
	old, err := table.Decode(body)
	if err != nil {
		return undecided("its recorded table cannot be read: " + err.Error())
	}
	p, class, ok := j.now.Find(s.Use.Entity)
	if !ok {
		return undecided("its program is not known")
	}
	prefix := strings.TrimSuffix(s.Use.Entity.Name, class)
	file, ok := p.Canonical(old.Name)
	if !ok {
		return undecided("class " + old.Name + " is gone")
	}
	now, err := p.Table(file)
	if err != nil || now == nil {
		return undecided(fmt.Sprintf("class %s cannot be read: %v", file, err))
	}
	c := compare(old, now, p.Raw)
	c.scope = j.scope(prefix, p)
	return c, nil
}

func (j *judge) scope(prefix string, p Program) *scope {
	s, ok := j.scopes[prefix]
	if !ok {
		s = &scope{prefix: prefix, program: p, below: map[string]map[string]bool{}, parts: map[string][]family{}, wholes: map[string][]family{}, classes: map[string]*present{}}
		j.scopes[prefix] = s
	}
	return s
}
