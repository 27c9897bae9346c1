// Package starts selects test classes from which a changed class can be reached by references: static, and blind to reflection.
//
// A test class depends on itself and on every class that a class it depends on refers to: the reflexive transitive closure. A class refers to what jdeps of the JDK says, which the tool asks:
//
//   - all classes of its constant pool, so those of supertypes, of everything that code names, of nest members and inner classes,
//   - the classes in descriptors of its fields and methods and of those that its code names,
//   - the classes in the generic signatures of its supertypes, fields and methods, but not the bounds of the class's own type parameters,
//   - the types of annotations that reflection can see, but not the classes in their elements.
//
// A test class is selected if, in the closure of the revision at which it last ran, a class has another checksum or is gone. Debug information does not count. A class of a library that any class of the project
// refers to is another one: every test class is selected, as the tool does when a jar differs.
//
// Misses, by design: classes that are found by name (reflection, services, strings in annotations), files that are not classes, and library classes that no class of the project names.
//
// Where this is not the tool: it writes down the checksums of a revision before its tests run and never runs a failed test again; here a failed test is selected again, and what a test depends on is noted when it ran. It sees
// jars; here library classes are seen that are named.
//
// Citation: O. Legunsen, A. Shi, D. Marinov, "STARTS: STAtic regression test selection", ASE 2017.
package starts

import (
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique"
	"winnow/internal/technique/collected"
)

// ClassesNamed is the assumption that the published unsafety violates.
var ClassesNamed = rts.Assumption{Name: "classes-named", Says: "a class that a test uses is named by a class that it uses, not found by name at run time"}

// Technique describes STARTS.
var Technique = technique.Technique{
	Name:        "starts",
	Title:       "classes by checksum, closed over references: misses what is found by reflection",
	Citation:    "O. Legunsen, A. Shi, D. Marinov: STARTS, STAtic regression test selection. ASE 2017",
	Words:       "classes",
	Order:       "references between classes, transitively",
	Traces:      "none: all classes that can be reached from the test class by references",
	Equivalence: "equal checksums without debug information",
	Bias:        rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.StableWords, ClassesNamed, collected.CodeOnly},
	ShownOn:     "Maven projects, by comparison",
}

// A memory is what is kept of a test class.
type memory struct {
	classes   collected.Checksums // of the closure
	libraries collected.Checksums // of all that the project named
}

// New makes a selector.
func New() observed.Selector {
	var last *closures
	remember := func(r *collected.Reader, class string, _ *observed.Trace) (memory, error) {
		if last == nil || last.program != r.Program() {
			made, err := readClosures(r.Program())
			if err != nil {
				return memory{}, err
			}
			last = made
		}
		return memory{last.from(class), last.libraries}, nil
	}
	return collected.Technique[memory]{Remember: remember, Judge: judge}.Selector()
}

func judge(r *collected.Reader, _ string, was memory) (string, error) {
	for _, part := range []struct {
		sums collected.Checksums
		what string
	}{{was.libraries, "library class "}, {was.classes, ""}} {
		if changed := part.sums.Changed(r.Program()); len(changed) > 0 {
			return part.what + changed[0] + " changed", nil
		}
	}
	return "", nil
}
