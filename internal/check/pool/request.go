package pool

import "winnow/internal/jvm/agent"

// A Source is what is to be compiled.
type Source struct {
	Files   map[string]string // by path: "p/A.java"
	On      map[string][]byte // classes that are there already, by internal name
	Options []string          // of javac
}

// A Compilation is what became of a source. What does not compile is no error.
type Compilation struct {
	OK          bool
	Classes     map[string][]byte // by internal name; none unless OK
	Diagnostics string
}

// A TestID names a test: the class with dots, and the method.
type TestID struct{ Class, Method string }

// String is "t.L1Test.t0".
func (t TestID) String() string { return t.Class + "." + t.Method }

// An Isolation says how many tests share a unit.
type Isolation uint8

// The isolations.
const (
	PerProgram Isolation = iota // all tests, in the order of the job, as Surefire does
	PerClass                    // the tests of a class that follow one another
	PerTest
)

// A Job is tests to run.
type Job struct {
	Classes   map[string][]byte // by internal name
	Resources map[string]string // by path
	Tests     []TestID
	Expect    map[TestID]string // states; without one a test passes that does not throw
	Isolation Isolation
	Record    bool
	Detail    bool // record edges, receivers and reflective calls, too; see Footprint
}

// A Result is how a test ended.
type Result uint8

// The results.
const (
	NotRun Result = iota // the host died before
	Passed
	Failed // an exception, or another state than expected
	Error  // the test could not be started: its class does not link, or has no such method
	Killed // the host died in it
)

// String is the name that reports use.
func (r Result) String() string {
	return [...]string{"not run", "passed", "failed", "error", "killed"}[min(int(r), 4)]
}

// An Outcome is what a test did.
type Outcome struct {
	Test   TestID
	Result Result
	Thrown string // class of what was thrown
	State  string // for a test that threw, "throws " and its class
	Unit   int    // index into Run.Units
	Own    *Footprint
}

// A Run is the outcomes of a job, in its order.
type Run struct {
	Outcomes []Outcome
	Units    []*Unit // in the order in which they were made
	// Unprobed are methods that are never in a footprint: they count as entered when their class is touched.
	Unprobed []Method
	// Edgeless and Unreceived are methods of which a job with Detail records entries only, or no receivers.
	Edgeless, Unreceived []Method
	// Lost: something could not be recorded, so no footprint can be trusted.
	Lost bool
}

// A Unit is what belongs to all tests of a class loader.
type Unit struct {
	Inits map[string]*Footprint // by internal name: what the initializer of a class did, whichever test ran it
	// Process is what happened outside of tests. A host loads and makes the test class inside of the test, so it is empty.
	Process *Footprint
}

// A Footprint is what was done in a stretch of a run. What an initializer did is in its own footprint and in that of the test in which it ran.
type Footprint struct {
	Methods []Method // sorted, each once
	Events  []agent.NamedEvent
	Open    bool // the end of the initializer was not seen: it threw

	// What follows is there if the job has Detail; each is sorted and has everything once.

	Edges      []Edge     // that were taken, those into methods included
	Receivers  []Receiver // classes of the objects on which methods were entered
	Reflective []Reflective
}

// An Edge is an edge of a method's control flow. Edges that share a probe are all there if one was taken; see instrument.EdgeProbe.
type Edge struct {
	Method Method
	Edge   int // index into Edges of the cfg.Graph of the original code
}

// A Receiver is the class of an object on which a method was entered, as agent.Receiver has it.
type Receiver struct {
	Method Method
	Class  string // internal name
}

// A Reflective is a call of Method.invoke, Constructor.newInstance or Class.newInstance of a method of the program. The caller is the method of the program that is nearest on the stack, each
// overload of it, because a stack has no types; it is zero if the host itself called.
type Reflective struct{ From, To Method }

// A Method is a method that was entered.
type Method struct{ Class, Name, Descriptor string }

// String is "p/A.m(I)J".
func (m Method) String() string { return m.Class + "." + m.Name + m.Descriptor }
