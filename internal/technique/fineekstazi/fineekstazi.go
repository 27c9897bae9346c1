// Package fineekstazi selects test classes as Ekstazi does, and then leaves out those whose changed classes changed in ways that are said not to alter behaviour, or in methods that a static call graph does not reach: FineEkstazi with its two
// options, finerts and mrts. It is unsafe by construction, and kept as it is.
//
// First, of the classes that ekstazi collected, those count as changed which differ in their fields, constructors or methods so:
//
//   - a field is there now and another one is not: fields that were only added, or only removed, do not count;
//   - a constructor or the static initializer was added, removed, or its text differs when its bytes are sorted: another order of the same letters does not count;
//   - a method has another body; one that has another name or descriptor and the body of one that is gone does not count;
//   - a method was added or removed, if the class has a superclass other than Object, or a subclass. Without these it counts only in a class named like a test, if it was added.
//
// Interfaces, flags, annotations, generic signatures and the superclass do not count; a constructor names the superclass.
//
// Then the call graph of the present revision is walked from the methods of the test class. If it meets all classes that count as changed, the test class is selected if it meets a method whose body
// changed, of which added and removed methods are none, but for those added to classes named like tests. If it does not meet all of them, there is reflection, and the test class is selected. The graph has no invokedynamic, no calls into java/ and org/junit/ and so no
// call-backs, and of the subtypes of a class the direct ones only; descriptors end before the result.
//
// Misses, by design: an added override; a supertype or an interface that is another, a field that hides another, constants of swapped digits or statements of constructors that change places, code that is
// reached through lambdas, through the JDK or below direct subclasses.
//
// Where this is not the tool: texts are those of package collected and not of ASM, and annotations of methods are not in them; a failed test is selected again; classes of libraries count by checksum alone.
//
// Citation: Y. Liu, J. Zhang, P. Nie, M. Gligoric, O. Legunsen, "More precise regression test selection via reasoning about semantics-modifying changes", ISSTA 2023.
package fineekstazi

import (
	"slices"

	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique"
	"winnow/internal/technique/collected"
	"winnow/internal/technique/ekstazi"
)

// The assumptions of its own.
var (
	KindsHarmless = rts.Assumption{Name: "kinds-harmless",
		Says: "fields added or removed, methods renamed or added, other supertypes, flags and orders of statements in constructors do not alter what a test does"}
	GraphComplete = rts.Assumption{Name: "graph-complete", Says: "calls are made by invoke instructions, to the class named, its first parent with the method, or its direct subtypes; libraries do not call back"}
)

// Technique describes FineEkstazi.
var Technique = technique.Technique{
	Name:        "fine-ekstazi",
	Title:       "ekstazi, filtered by kinds of changes and a call graph: misses added overrides, supertypes, hidden fields, lambdas, call-backs",
	Citation:    "Y. Liu, J. Zhang, P. Nie, M. Gligoric, O. Legunsen: More precise regression test selection via reasoning about semantics-modifying changes. ISSTA 2023",
	Words:       "classes, methods",
	Order:       "calls, from the methods of the test class",
	Traces:      "those of ekstazi",
	Equivalence: "equal but for kinds of changes that are said to be harmless",
	Bias:        append(slices.Clip(ekstazi.Technique.Bias), KindsHarmless, GraphComplete),
	ShownOn:     "Maven projects, by comparison",
}

// A memory is what is kept of a test class: the checksums of the collected classes, and what was in the internal ones.
type memory struct {
	sums collected.Checksums
	was  map[string]*content
}

// New makes a selector.
func New() observed.Selector {
	h := &history{contents: map[string]*content{}}
	return collected.Technique[*memory]{Remember: h.remember, Judge: h.judge}.Selector()
}

// A history has what is known of the present revision, and shares what is kept of classes.
type history struct {
	contents map[string]*content // the newest of each class
	program  *observed.Program
	graph    *graph // of the program; nil until it is needed
	related  map[string]bool
}

// read makes a program the present one.
func (h *history) read(p *observed.Program) {
	if h.program == p {
		return
	}
	h.program, h.graph, h.related = p, nil, map[string]bool{}
	for _, name := range p.Names() {
		super := p.Class(name).File.SuperName()
		if super != "" && super != "java/lang/Object" {
			h.related[name], h.related[super] = true, true
		}
	}
}

// content is that of a class of the present revision, nil if there is none.
func (h *history) content(name string) (*content, error) {
	c := h.program.Class(name)
	if c == nil {
		return nil, nil
	}
	if known := h.contents[name]; known != nil && known.checksum.Same(c.Checksum) {
		return known, nil
	}
	made, err := contentOf(c)
	if err != nil {
		return nil, err
	}
	h.contents[name] = made
	return made, nil
}

func (h *history) remember(r *collected.Reader, class string, t *observed.Trace) (*memory, error) {
	h.read(r.Program())
	sums, err := collected.Collect(ekstazi.Collect).Remember(r, class, t)
	if err != nil {
		return nil, err
	}
	m := &memory{sums, map[string]*content{}}
	for name := range sums {
		if m.was[name], err = h.content(name); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// judge says why a test class must run.
func (h *history) judge(r *collected.Reader, class string, m *memory) (string, error) {
	h.read(r.Program())
	changed, methods, err := h.changes(m)
	if err != nil || len(changed) == 0 {
		return "", err
	}
	if h.graph == nil {
		if h.graph, err = graphOf(r); err != nil {
			return "", err
		}
	}
	reached, classes := h.graph.from(class)
	for _, name := range changed {
		if !classes[name] {
			return name + " changed", nil
		}
	}
	for _, method := range methods {
		if reached[method] {
			return method.String() + " changed", nil
		}
	}
	return "", nil
}

// changes are the collected classes that count as changed, and the methods in them that do.
func (h *history) changes(m *memory) (classes []string, methods []node, err error) {
	for _, name := range m.sums.Changed(h.program) {
		before := m.was[name]
		after, err := h.content(name)
		if err != nil {
			return nil, nil, err
		}
		if before != nil && after != nil && !before.differs(after, h.related[name]) {
			continue
		}
		classes = append(classes, name)
		if before != nil && after != nil {
			methods = append(methods, before.changed(after)...)
		}
	}
	return classes, methods, nil
}
