package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/jvm/state"
	"winnow/internal/rts"
)

// A test method may come to another framework, or become another kind of test: what was JUnit 4's is Jupiter's, a plain test has parameters. Then there is a test with another name, and the old name still tells that there is
// a method. Which of them there is say the annotations of the method (S3.4). They are asked only where they are certain; where they are not, a name stands as long as there is a method.

// testKinds are the kinds of tests by the annotations that make them. Kinds of Jupiter are those in marks, the others those in keyForms.
var testKinds = map[string]string{
	"Lorg/junit/Test;":                             "junit4",
	"Lorg/testng/annotations/Test;":                "testng",
	"Lorg/junit/jupiter/api/Test;":                 "method",
	"Lorg/junit/jupiter/api/TestFactory;":          "test-factory",
	"Lorg/junit/jupiter/api/TestTemplate;":         "test-template",
	"Lorg/junit/jupiter/api/RepeatedTest;":         "test-template",
	"Lorg/junit/jupiter/params/ParameterizedTest;": "test-template",
}

// noKinds are the beginnings of annotations that make no test by themselves. Any other may be made of some that do.
var noKinds = []string{"Lorg/junit/jupiter/", "Lorg/junit/", testngs, "Ljava/lang/"}

// kindOf is the kind of the test that a name stands for, and what it says of the method's parameters; "" if it does not tell.
func kindOf(name string) (kind, parameters string) {
	key := keyOf(name)
	if key == name || strings.HasSuffix(name, asDescribed) {
		return "", ""
	}
	if framework, _, ok := strings.Cut(key, ":"); ok && !strings.HasPrefix(key, "[") {
		return framework, ""
	}
	kind, method, _ := segment(key[strings.LastIndexByte(key, '/')+1:])
	_, parameters, _ = strings.Cut(method, "(")
	return kind, strings.TrimSuffix(parameters, ")")
}

// moved tells whether the method that a name tells is, by its annotations, a test of another kind and none of this one. False if that is not certain.
func (m *Module) moved(name string) bool {
	kind, parameters := kindOf(name)
	class, method := m.namedBy(name)
	if kind == "" || method == "" || method == wholeClass {
		return false
	}
	other := false
	for steps := 0; !m.program.JDK(class); steps++ {
		t, err := m.program.Table(class)
		if err != nil || t == nil || len(t.Interfaces) > 0 || steps > 100 || t.Super == "junit/framework/TestCase" && (kind == "junit3" || kind == "junit4") {
			return false
		}
		declared, ok := m.declared(class)
		if !ok {
			return false
		}
		for _, d := range declared {
			if d.On == "" && (d.Type == runWith && kind == "junit4" || strings.HasPrefix(d.Type, testngs) && kind == "testng") {
				return false
			}
			on, descriptor, _ := strings.Cut(d.On, "(")
			if on != method {
				continue
			}
			is, known := testKinds[d.Type]
			_, bare := keyForms[kind]
			same := is == kind && (bare || (parameters == "") == strings.HasPrefix(descriptor, ")"))
			if same || !known && !slices.ContainsFunc(noKinds, func(begin string) bool { return strings.HasPrefix(d.Type, begin) }) {
				return false
			}
			other = other || known
		}
		class = t.Super
	}
	return other
}

// movedTest is moved, for the name of a test.
func (m *Module) movedTest(id rts.TestID) bool {
	name, ok := m.scope.local(string(id))
	return ok && m.moved(name)
}

// declared lists the annotations of a class in a directory.
func (m *Module) declared(class string) (all []state.Declared, ok bool) {
	type answer struct {
		all []state.Declared
		ok  bool
	}
	if known, found := m.annotations.Load(class); found {
		return known.(answer).all, known.(answer).ok
	}
	data, err := os.ReadFile(filepath.Join(m.program.Place(class), filepath.FromSlash(class)+".class"))
	if err == nil { // else it is in a jar, or gone meanwhile
		all, err = state.ReadDeclared(data)
	}
	m.annotations.Store(class, answer{all, err == nil})
	return all, err == nil
}

// A methodOf is a method of a test class; tests of several kinds may have its name.
type methodOf struct{ class, method string }

// methodsOf counts the names of tests of each method.
func (m *Module) methodsOf(tests []rts.TestID) map[methodOf]int {
	out := map[methodOf]int{}
	for _, id := range tests {
		class, method := m.MethodOf(id)
		out[methodOf{class, method}]++
	}
	return out
}
