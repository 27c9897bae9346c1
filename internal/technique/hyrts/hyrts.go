// Package hyrts selects test classes by changed methods where a class has changed in its methods only, and by changed classes where it has changed otherwise: the basic form of HyRTS.
//
// A class that is in both revisions is compared so:
//
//   - Its header, which is version, flags, supertypes, generic signature, annotations and inner classes, differs: the test classes that used the class are selected. Its methods are not looked at.
//   - CIM, CSM, CI, CSI: the body or the flags of an instance method, static method, constructor, static initializer differ. DSM, DI, DSI: one was removed. Selected are the test classes that entered it.
//   - AIM, DIM: an instance method was added or removed. That is a lookup change for objects of the class, and of each subclass without a method of the same name and descriptor on the way: selected are the test
//     classes that called a method of that name and descriptor on such an object.
//   - AI, ASI, ASM: constructors, static initializers and static methods that were added, and fields that were added or removed: nothing. Who calls a new method has changed itself, and a field's value shows in an
//     initializer.
//
// A class that is gone selects the test classes that used it. A test class whose own file changed is selected. To use a class is to enter one of its methods, to read a static field of it, to call through it as an interface, or to have
// its class literal; the last three count as entering its static initializer too.
//
// Misses, by design: an added static initializer of a class that had none; an added field that hides another and has no initial value; supertypes of classes that are only looked at with instanceof, and
// default methods that a class inherits newly; libraries, files, and reflection that enters nothing.
//
// Receivers are those recorded. Without a detailed recording every subclass of the method's class that could be a receiver counts as one: more than there are.
//
// NewFiles is the variant HyRTSf of the same paper, which the author found the better one: AIM and DIM are changes of the whole class.
//
// Where this is not the tool: annotations and generic signatures of single methods are not compared; a failed test is selected again.
//
// Citation: L. Zhang, "Hybrid regression test selection", ICSE 2018.
package hyrts

import (
	"slices"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique"
	"winnow/internal/technique/collected"
)

// The assumptions of its own.
var (
	AddedRunsByCaller = rts.Assumption{Name: "added-runs-by-caller", Says: "a constructor, static method or static initializer that is added runs only where code changed that runs before it"}
	FieldsInitialized = rts.Assumption{Name: "fields-initialized", Says: "a field that is added, removed or declared otherwise shows in an initializer or in code that uses it"}
)

// Technique describes HyRTS.
var Technique = technique.Technique{
	Name:        "hyrts",
	Title:       "methods and classes mixed: misses added static initializers and fields that hide others",
	Citation:    "L. Zhang: Hybrid regression test selection. ICSE 2018",
	Words:       "methods, headers of classes",
	Order:       "none: a complete graph with one word that every trace contains",
	Traces:      "the methods entered, with the classes of receivers, and the classes used; by test class",
	Equivalence: "equal bodies, equal headers, equal lookup of methods",
	Bias:        rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.StableWords, AddedRunsByCaller, FieldsInitialized, collected.ReflectionEnters, collected.CodeOnly},
	ShownOn:     "Maven projects, by comparison",
}

// New makes a selector of basic HyRTS.
func New() observed.Selector { return newSelector(false) }

// NewFiles makes a selector of HyRTSf.
func NewFiles() observed.Selector { return newSelector(true) }

func newSelector(files bool) observed.Selector {
	h := &history{files: files, shapes: map[string]*shape{}, numbers: map[observed.Method]uint32{}}
	return collected.Technique[*memory]{Remember: h.remember, Judge: h.judge}.Selector()
}

// A memory is what a test class did, and the revision at which it did so. Methods are numbers of the history, by canonical name.
type memory struct {
	at       *revision
	entered  numbers
	received numbers // name and descriptor with the class of the receiver
	used     map[string]bool
	open     map[string][]string // classes whose methods were entered with any receiver, if receivers were not recorded, by name and descriptor
}

// remember notes what a test class did.
func (h *history) remember(r *collected.Reader, class string, t *observed.Trace) (*memory, error) {
	m := &memory{at: h.revision(r.Program()), used: map[string]bool{class: true}, open: map[string][]string{}}
	for _, method := range t.Entered {
		h.enter(m, method)
		if _, coarse := slices.BinarySearchFunc(t.Coarse, method, observed.Method.Compare); (coarse || !t.Detailed) && m.at.instance(method) {
			c := m.at.canonical(method)
			m.open[c.Name+c.Descriptor] = append(m.open[c.Name+c.Descriptor], c.Class)
		}
		uses, err := r.Uses(t, method)
		if err != nil {
			return nil, err
		}
		for _, u := range uses {
			if atUse(u) && r.Program().Internal(u.Class) {
				h.enter(m, observed.Method{Class: u.Class, Name: "<clinit>", Descriptor: "()V"})
			}
		}
	}
	for _, r := range t.Received {
		method := m.at.canonical(r.Method)
		method.Class = r.Type
		m.received = append(m.received, h.number(method))
	}
	m.entered, m.received = m.entered.sorted(), m.received.sorted()
	return m, nil
}

func (h *history) enter(m *memory, method observed.Method) {
	m.used[method.Class] = true
	m.entered = append(m.entered, h.number(m.at.canonical(method)))
}

// atUse tells whether an instruction uses a class.
func atUse(u collected.Use) bool {
	switch u.Op {
	case bytecode.Getstatic, bytecode.Invokeinterface:
		return true
	case bytecode.Ldc, bytecode.LdcW:
		return u.Ref.Name == ""
	}
	return false
}

// judge says why a test class must run.
func (h *history) judge(r *collected.Reader, class string, m *memory) (string, error) {
	now := h.revision(r.Program())
	if m.at == now {
		return "", nil
	}
	if !same(m.at.shapes[class], now.shapes[class]) {
		return class + " changed", nil
	}
	d := h.difference(m.at, now)
	for _, name := range d.classes {
		if m.used[name] {
			return name + " changed", nil
		}
	}
	for _, method := range d.methods {
		if m.entered.has(h.number(method)) {
			return method.String() + " changed", nil
		}
	}
	for _, method := range d.lookups {
		if n := h.number(method); m.entered.has(n) || m.received.has(n) || m.couldReceive(method) {
			return method.String() + " is looked up otherwise", nil
		}
	}
	return "", nil
}

// couldReceive tells whether an object of the method's class may have received a call of that name and descriptor, for all that is known.
func (m *memory) couldReceive(method observed.Method) bool {
	return slices.ContainsFunc(m.open[method.Name+method.Descriptor], func(class string) bool { return m.at.below(method.Class, class) })
}

// Numbers are numbers of methods, sorted.
type numbers []uint32

func (n numbers) sorted() numbers {
	slices.Sort(n)
	return slices.Clip(slices.Compact(n))
}

func (n numbers) has(number uint32) bool {
	_, ok := slices.BinarySearch(n, number)
	return ok
}
