// Package ekstazi selects test classes of which a collected class has another checksum, and collects classes where Ekstazi was published to: too late to be safe.
//
// Points of collection, each with all supertypes of the class:
//
//   - the start of constructors, static methods and static initializers,
//   - accesses to static fields, class literals and calls through interfaces, in what was run of the bodies that were entered.
//
// Classes of libraries are collected when one of their methods was entered, and are found again by name. The test class itself is always collected. A checksum covers a class without debug information.
//
// Misses, by design: a class whose initialization was called but whose static initializer did not begin, because that of a superclass threw (Figure 1 of Mansky and Gunter's paper); objects that live on from a test
// class that ran earlier and have no method of the kinds above; classes that reflection found but nothing was run of; files that are not classes.
//
// Where this is not the tool: the tool 5.3.0 collects no supertypes, not at putstatic, but the class of the value at getstatic; it finds library classes by the address of their jar, so that a new version of a library
// is missed; and it does not run a failed test again unless it is told to. A failed test is selected here.
//
// Citation: M. Gligoric, L. Eloussi, D. Marinov, "Practical regression test selection with dynamic file dependencies", ISSTA 2015.
package ekstazi

import (
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique"
	"winnow/internal/technique/collected"
)

// InitializersBegin is what makes the published points enough.
var InitializersBegin = rts.Assumption{Name: "initializers-begin", Says: "a class whose initialization is called begins to run its static initializer, a constructor or a static method"}

// ReflectionRuns is the assumption about reflection.
var ReflectionRuns = rts.Assumption{Name: "reflection-runs", Says: "of a class that a test finds by reflection, it runs a constructor, a static method or a static initializer"}

// Technique describes Ekstazi.
var Technique = technique.Technique{
	Name:        "ekstazi",
	Title:       "classes by checksum, collected as published: misses classes whose initialization fails before it begins",
	Citation:    "M. Gligoric, L. Eloussi, D. Marinov: Practical regression test selection with dynamic file dependencies. ISSTA 2015",
	Words:       "classes",
	Order:       "none: a complete graph with one word that every trace contains",
	Traces:      "the classes of entered constructors, static methods and static initializers, of static fields, class literals and interface calls, with supertypes; by test class",
	Equivalence: "equal checksums without debug information",
	Bias:        rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.StableWords, InitializersBegin, ReflectionRuns, collected.CodeOnly},
	ShownOn:     "Maven projects, by comparison",
}

// New makes a selector.
func New() observed.Selector { return collected.Collect(Collect).Selector() }

// Collect collects at the published points.
func Collect(r *collected.Reader, class string, t *observed.Trace) (collected.Classes, error) {
	out := collected.Classes{}
	out.Above(r, class)
	for _, m := range t.Entered {
		if begins(r.Program(), m) {
			out.Above(r, m.Class)
		}
		uses, err := r.Uses(t, m)
		if err != nil {
			return nil, err
		}
		for _, u := range uses {
			if atUse(u) {
				out.Above(r, u.Class)
			}
		}
	}
	for _, name := range t.Libraries {
		out.Above(r, name)
	}
	return out, nil
}

// begins tells whether the start of a method is a point of collection.
func begins(p *observed.Program, m observed.Method) bool {
	return m.Name == "<init>" || m.Name == "<clinit>" || collected.Static(p, m)
}

// atUse tells whether a use is a point of collection.
func atUse(u collected.Use) bool {
	switch u.Op {
	case bytecode.Getstatic, bytecode.Putstatic, bytecode.Invokeinterface:
		return true
	case bytecode.Ldc, bytecode.LdcW:
		return u.Ref.Name == "" // a class literal
	}
	return false
}
