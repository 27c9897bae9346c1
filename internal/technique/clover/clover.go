// Package clover selects tests that entered a method which is not what it was, as one who reads source code would see it: methods are what the source calls so.
//
// A test is selected if a method that it entered has another body now or is gone. That is all. Tests are methods of test classes; Clover keeps what each of them did, though its Maven plug-in runs whole classes.
//
// Not seen, because the source has no method for it: static initializers; constructors that the compiler wrote, and with them the initial values of fields; bridges and accessors. A constructor without parameters
// and with the access of its class cannot be told from one that the compiler wrote, and counts as such.
//
// Misses, by design, and bugs of Clover by their names in Table VII of Zhu et al., "A framework for checking regression test selection tools", ICSE 2019: that a field has another initial value (Clover-2) or hides another
// (Clover-7), that a method is overridden now (Clover-3), that a type test ends otherwise (Clover-4), what reflection shows (Clover-5), that a class has another superclass (Clover-8), libraries, files.
//
// Where this is not the tool: OpenClover compares whole source files, with comments, and selects the tests that ran something in a file that changed: more tests, and the same misses where nothing of the changed file was run.
// Class files are compared here, so a call that means another method after it is compiled again is a change, though its text is not. Clover-1, that a class which moves keeps its old entry, is a fault of
// the tool and not of the technique.
//
// Citation: M. Parfianowicz and others, "OpenClover test optimization", openclover.org, 2017; as described by C. Zhu, O. Legunsen, A. Shi, M. Gligoric, ICSE 2019, III-A.
package clover

import (
	"fmt"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique"
	"winnow/internal/technique/collected"
)

// MethodsOnly is the assumption of its own.
var MethodsOnly = rts.Assumption{Name: "methods-only", Says: "a test behaves otherwise only if the source of a method that it entered is another: no fields, initializers, overriding, hierarchy, type tests, reflection"}

// Technique describes Clover.
var Technique = technique.Technique{
	Name:        "clover",
	Title:       "methods entered, as in the source: misses fields, overriding, type tests, hierarchy, initializers, reflection",
	Citation:    "M. Parfianowicz and others: OpenClover, test optimization. openclover.org, 2017",
	Words:       "methods of the source",
	Order:       "none: a complete graph with one word that every trace contains",
	Traces:      "the methods entered, by test method",
	Equivalence: "equal bodies",
	Bias:        rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.StableWords, MethodsOnly, collected.CodeOnly},
	ShownOn:     "Maven projects, by comparison",
}

// New makes a selector.
func New() observed.Selector { return &selector{tests: map[string]*record{}} }

// A selector knows the methods that tests entered.
type selector struct {
	tests   map[string]*record // by the ID of the test
	program *observed.Program
	methods map[observed.Method]*entry // of the program, by canonical name
	names   map[observed.Method]*entry // the same by the name in the file
}

// A record is what is known of a test.
type record struct {
	passed  bool
	entered []*entry
}

// An entry is a method with the body that it had, one for all tests.
type entry struct {
	method observed.Method
	body   digest.Digest
}

// Select says which tests must run.
func (s *selector) Select(now *observed.Program, tests []observed.Test) (observed.Selection, error) {
	s.read(now)
	out := observed.Selection{}
	for _, t := range tests {
		if reason := s.reason(s.tests[t.ID]); reason != "" {
			out[t.ID] = reason
		}
	}
	return out, nil
}

func (s *selector) reason(known *record) string {
	switch {
	case known == nil:
		return collected.New
	case !known.passed:
		return collected.Failed
	}
	for _, e := range known.entered {
		if now := s.methods[e.method]; now == nil || !now.body.Same(e.body) {
			return e.method.String() + " changed"
		}
	}
	return ""
}

// Ran tells what tests did.
func (s *selector) Ran(now *observed.Program, runs []observed.Run) error {
	s.read(now)
	for _, run := range runs {
		r := &record{passed: run.Passed}
		for _, m := range run.Trace.Entered {
			if now.Class(m.Class) == nil {
				return fmt.Errorf("test %s entered %s, which is not in the program", run.Test.ID, m)
			}
			if e, ok := s.names[m]; ok {
				r.entered = append(r.entered, e)
			}
		}
		s.tests[run.Test.ID] = r
	}
	return nil
}

// read takes the methods of the source from a program.
func (s *selector) read(p *observed.Program) {
	if s.program == p {
		return
	}
	before := s.methods
	s.program, s.methods, s.names = p, map[observed.Method]*entry{}, map[observed.Method]*entry{}
	for _, name := range p.Names() {
		c := p.Class(name)
		for i := range c.Canon.Methods {
			m := &c.Canon.Methods[i]
			if !inSource(c, m) {
				continue
			}
			canonical := observed.Method{Class: name, Name: m.Name, Descriptor: m.Descriptor}
			e := before[canonical]
			if e == nil || !e.body.Same(m.Body) {
				e = &entry{canonical, m.Body}
			}
			s.methods[canonical] = e
			s.names[observed.Method{Class: name, Name: m.FileName, Descriptor: m.FileDescriptor}] = e
		}
	}
}

// inSource tells whether the source has a method, or a lambda.
func inSource(c *observed.Class, m *canon.Method) bool {
	switch {
	case m.FileName == "<clinit>":
		return false
	case m.FileName == "<init>":
		return !likeDefault(c, m)
	}
	return m.Access&classfile.Synthetic == 0 || strings.HasPrefix(m.FileName, "lambda$")
}

// access are the flags that a constructor of the compiler has in common with its class.
const access = classfile.Public | classfile.Protected | classfile.Private

// likeDefault tells whether a constructor may be one that the compiler wrote. That of an inner class has the outer object as its parameter. The class file of a nested class does not have its own access flags
// where others look for them, so they are not compared.
func likeDefault(c *observed.Class, m *canon.Method) bool {
	outer := strings.LastIndexByte(c.Name, '$')
	if outer >= 0 {
		return m.FileDescriptor == "()V" || m.FileDescriptor == "(L"+c.Name[:outer]+";)V"
	}
	return m.FileDescriptor == "()V" && m.Access&access == c.File.Access&access
}
