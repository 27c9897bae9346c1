package evolve

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// TestPackage is where generated tests are.
const TestPackage = "t"

// A CallKind is what a call of a test does.
type CallKind string

// The kinds of calls.
const (
	NewCall      CallKind = "new"      // makes an object
	MethodCall   CallKind = "call"     // calls a method of an object
	StaticCall   CallKind = "static"   // calls a static method
	ConstantCall CallKind = "constant" // takes a constant of an enum
)

// A Call is one step of a test. Its value is called v and its index.
type Call struct {
	Kind     CallKind
	Owner    string // class by which it is named, as in a source
	Name     string // of the method or constant
	Result   string // type, "void" if there is none
	Receiver int    // index of an earlier call; -1 if there is none
	Args     []string
}

// A Test is a sequence of calls.
type Test struct {
	Group string // simple name of its class: L4Test
	Name  string // of its method: t17
	Calls []Call
}

// Class is the name of the test's class with its package.
func (t *Test) Class() string { return TestPackage + "." + t.Group }

// expression is the call as a source has it.
func (c *Call) expression() string {
	args := "(" + strings.Join(c.Args, ", ") + ")"
	switch c.Kind {
	case NewCall:
		return "new " + c.Owner + args
	case StaticCall:
		return c.Owner + "." + c.Name + args
	case ConstantCall:
		return c.Owner + "." + c.Name
	}
	return "v" + strconv.Itoa(c.Receiver) + "." + c.Name + args
}

// statement is the call with its variable.
func (c *Call) statement(index int) string {
	if c.Result == "void" {
		return c.expression() + ";"
	}
	return fmt.Sprintf("%s v%d = %s;", c.Result, index, c.expression())
}

// values lists the variables; for a call without a result a text stands in its place, so that indices stay.
func (t *Test) values() string {
	var out []string
	for i := range t.Calls {
		if t.Calls[i].Result == "void" {
			out = append(out, `"void"`)
		} else {
			out = append(out, "v"+strconv.Itoa(i))
		}
	}
	return strings.Join(out, ", ")
}

// TestSources prints tests, one class for each group. A test returns all its values.
func TestSources(tests []Test) map[string]string {
	return testSources(tests, "", func(b *strings.Builder, t *Test) {
		fmt.Fprintf(b, "\n    public Object[] %s() throws Throwable {\n", t.Name)
		for i := range t.Calls {
			fmt.Fprintf(b, "        %s\n", t.Calls[i].statement(i))
		}
		fmt.Fprintf(b, "        return new Object[] { %s };\n    }\n", t.values())
	})
}

// testSources prints the classes of tests around what prints a test.
func testSources(tests []Test, imports string, method func(b *strings.Builder, t *Test)) map[string]string {
	groups := map[string][]*Test{}
	for i := range tests {
		groups[tests[i].Group] = append(groups[tests[i].Group], &tests[i])
	}
	out := map[string]string{}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		var b strings.Builder
		fmt.Fprintf(&b, "package %s;\n\n%spublic class %s {", TestPackage, imports, group)
		for _, t := range groups[group] {
			method(&b, t)
		}
		b.WriteString("}\n")
		out[TestPackage+"/"+group+".java"] = b.String()
	}
	return out
}

// A Flavour is a version of JUnit.
type Flavour int

// The flavours.
const (
	JUnit4 Flavour = 4
	JUnit5 Flavour = 5
)

// JUnitSources prints tests for JUnit. What a test asserts is the state that was captured of it (see package pool): results of primitive type and texts, classes of objects, and what was
// thrown. Only plain code stands in the assertions, so that they look at nothing by reflection; fields of objects are not compared. States are by class and method: "t.L1Test.t0".
func JUnitSources(tests []Test, states map[string]string, flavour Flavour) map[string]string {
	imports := "import org.junit.Test;\nimport static org.junit.Assert.assertEquals;\n\n"
	if flavour == JUnit5 {
		imports = "import org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\n"
	}
	return testSources(tests, imports, func(b *strings.Builder, t *Test) {
		fmt.Fprintf(b, "\n    @Test\n    public void %s() throws Throwable {\n", t.Name)
		t.junit(b, states[t.Class()+"."+t.Name])
		b.WriteString("    }\n")
	})
}

func (t *Test) junit(b *strings.Builder, state string) {
	if thrown, ok := strings.CutPrefix(state, "throws "); ok {
		b.WriteString("        String thrown = \"nothing\";\n        try {\n")
		for i := range t.Calls {
			fmt.Fprintf(b, "            %s\n", t.Calls[i].statement(i))
		}
		fmt.Fprintf(b, "        } catch (Throwable e) {\n            thrown = e.getClass().getName();\n        }\n        assertEquals(%s, thrown);\n", strconv.Quote(strings.TrimSpace(thrown)))
		return
	}
	values, classes := readState(state)
	for i := range t.Calls {
		fmt.Fprintf(b, "        %s\n", t.Calls[i].statement(i))
	}
	for i := range t.Calls {
		if t.Calls[i].Result == "void" {
			continue
		}
		if want, ok := assertion(i, values["v"+strconv.Itoa(i)], classes); ok {
			fmt.Fprintf(b, "        %s\n", want)
		}
	}
}

// assertion compares one value with its captured form.
func assertion(i int, value string, classes map[string]string) (string, bool) {
	class, isObject := classes[value]
	switch {
	case value == "", strings.HasPrefix(value, "some object"), strings.Contains(value, "["):
		return "", false
	case isObject:
		return fmt.Sprintf("assertEquals(%s, ((Object) v%d).getClass().getName());", strconv.Quote(class), i), true
	case strings.HasPrefix(value, `"`):
		return fmt.Sprintf("assertEquals(%s, String.valueOf((Object) v%d));", value, i), true
	case strings.HasPrefix(value, "'"):
		return fmt.Sprintf("assertEquals(%s, String.valueOf((int) v%d));", strconv.Quote(value[1:]), i), true
	case strings.HasPrefix(value, "class "):
		return fmt.Sprintf("assertEquals(%s, ((Class<?>) v%d).getName());", strconv.Quote(value[len("class "):]), i), true
	}
	return fmt.Sprintf("assertEquals(%s, String.valueOf((Object) v%d));", strconv.Quote(value), i), true
}

// readState reads the lines of a state: the values by variable, and the classes of objects by their number.
func readState(state string) (values, classes map[string]string) {
	values, classes = map[string]string{}, map[string]string{}
	for line := range strings.SplitSeq(state, "\n") {
		name, value, ok := strings.Cut(line, " = ")
		if !ok {
			continue
		}
		if strings.HasPrefix(name, "#") {
			classes[name], _, _ = strings.Cut(value, " ")
		} else {
			values[name] = value
		}
	}
	return values, classes
}
