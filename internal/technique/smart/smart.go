// Package smart selects test classes of which a collected class has another checksum, and collects where it is safe to: wherever the initialization of a class may be called, whether or not it is initialized already.
//
// Points of collection, each with all supertypes of the class:
//
//   - new, getstatic, putstatic, invokestatic, invokeinterface, class literals, and the method handles of lambdas and method references, in what was run of the bodies that were entered: before the instruction, so that
//     a class whose initialization fails is among them, and with the class that the instruction names, so that the classes which the member is looked up through are among them,
//   - the classes of all entered methods, whoever called them: reflection, the JVM, an object from a test that ran earlier,
//   - classes that casts and type tests name if there is no such class.
//
// The paper collects all error classes; they are of the JDK here, and do not change. Classes of libraries are collected when one of their methods was entered, and are found again by name.
// The test class itself is always collected. A class that does not exist is collected as absent.
//
// What it still does not see: a class that reflection looks at, or fails to initialize, without running anything of it; that a member of a null reference cannot be linked any more; static state that another test left; files that
// are not classes. These are its assumptions.
//
// Citation: S. Mansky, E. L. Gunter, "Safety of a smart classes-used regression test selection algorithm", Electronic Notes in Theoretical Computer Science 351, 2020.
package smart

import (
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique"
	"winnow/internal/technique/collected"
)

// NoPollution is the assumption of its own.
var NoPollution = rts.Assumption{Name: "no-pollution", Says: "no test depends on static state that another one left"}

// Technique describes the corrected collection.
var Technique = technique.Technique{
	Name:        "smart",
	Title:       "classes by checksum, collected wherever initialization may be called",
	Citation:    "S. Mansky, E. L. Gunter: Safety of a smart classes-used regression test selection algorithm. ENTCS 351, 2020",
	Words:       "classes",
	Order:       "none: a complete graph with one word that every trace contains",
	Traces:      "the classes of entered methods and those that run code creates, calls statically or through interfaces, or whose static fields it uses, with supertypes; by test class",
	Equivalence: "equal checksums without debug information",
	Bias:        rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.StableWords, collected.ReflectionEnters, NoPollution, collected.CodeOnly},
	ShownOn:     "Maven projects, by comparison",
}

// New makes a selector.
func New() observed.Selector { return collected.Collect(Collect).Selector() }

// Collect collects at the corrected points.
func Collect(r *collected.Reader, class string, t *observed.Trace) (collected.Classes, error) {
	out := collected.Classes{}
	out.Above(r, class)
	for _, m := range t.Entered {
		out.Above(r, m.Class)
		uses, err := r.Uses(t, m)
		if err != nil {
			return nil, err
		}
		for _, u := range uses {
			if atUse(u.Op) || r.Missing(u.Class) {
				out.Above(r, u.Class)
			}
		}
	}
	for _, name := range t.Libraries {
		out.Above(r, name)
	}
	return out, nil
}

// atUse tells whether an instruction is a point of collection.
func atUse(op bytecode.Op) bool {
	switch op {
	case bytecode.New, bytecode.Getstatic, bytecode.Putstatic, bytecode.Invokestatic, bytecode.Invokeinterface, bytecode.Invokedynamic, bytecode.Ldc, bytecode.LdcW, bytecode.Ldc2W:
		return true
	}
	return false
}
