package observed

import (
	"cmp"
	"strings"
)

// A Method names a method of an internal class as the class file does.
type Method struct{ Class, Name, Descriptor string }

// String is "p/A.m(I)J".
func (m Method) String() string { return m.Class + "." + m.Name + m.Descriptor }

// Compare orders methods.
func (m Method) Compare(n Method) int {
	return cmp.Or(strings.Compare(m.Class, n.Class), strings.Compare(m.Name, n.Name), strings.Compare(m.Descriptor, n.Descriptor))
}

// A Test names a test: a method of a class. All invocations of a template are one test.
type Test struct {
	ID     string // unique in a project
	Class  string // internal name of the top-level test class that is selected as a whole
	Method string // for people
}

// A Call is a call by reflection.
type Call struct{ From, To Method }

// A Received is a method that was entered with a receiver of a class.
type Received struct {
	Method Method
	Type   string
}

// A Trace is what a test did.
type Trace struct {
	// Entered are the internal methods that were entered, initializers included.
	Entered []Method
	// Libraries are the classes of libraries of which a method was entered.
	Libraries []string
	// Detailed: the fields below were recorded. Methods in Coarse have no edges: their class could not be given probes for them.
	Detailed bool
	// Edges are the covered edges of entered methods, as numbers of cfg.Graph.Edges.
	Edges      map[Method][]int
	Received   []Received
	Reflective []Call
	Coarse     []Method
}

// A Run is a test with what it did.
type Run struct {
	Test    Test
	Passed  bool
	Seconds float64
	Trace   *Trace
}

// A Selection is the tests that must run, by ID, each with the reason.
type Selection map[string]string

// A Selector is a technique at work on a history of revisions.
type Selector interface {
	// Select says which of the tests that exist now must run. Tests of which the selector was never told are among them.
	Select(now *Program, tests []Test) (Selection, error)
	// Ran tells what the selected tests did at the revision that was last asked about.
	Ran(now *Program, runs []Run) error
}

// ByClass groups tests by their class, in the order in which the classes come.
func ByClass(tests []Test) (classes []string, of map[string][]Test) {
	of = map[string][]Test{}
	for _, t := range tests {
		if of[t.Class] == nil {
			classes = append(classes, t.Class)
		}
		of[t.Class] = append(of[t.Class], t)
	}
	return classes, of
}
