package minijvm

import (
	"fmt"
	"strings"
	"testing"
)

// method writes a method from instructions between semicolons. Rows of the exception table come last.
func method(head, code string) string {
	return fmt.Sprintf("method %s stack 4 locals 2 {\n%s\n}\n", head, strings.ReplaceAll(code, ";", "\n"))
}

// class writes a class from its members; an empty clinit is added if there is none.
func classText(head string, members ...string) string {
	text := strings.Join(members, "")
	if !strings.Contains(text, " clinit()") {
		text += method("static void clinit()", "Push unit; Return")
	}
	return "class " + head + " {\n" + text + "}\n"
}

// testText writes a class Test with the static fields r and x whose main is the code given.
func testText(code string) string {
	return classText("Test extends Object", "field static int r\nfield static Object x\n", method("static void main()", code))
}

const (
	keep = "Putstatic Test r Test"
	end  = "Push unit; Return"
)

var (
	plainA = classText("A extends Object", "field int f\nfield static int s\n", method("int m(int)", "Load 1; Push 1; IAdd; Return"), method("static int t()", "Push 7; Return"))
	belowA = classText("B extends A", "field int f\n", method("int m(int)", "Load 1; Push 2; IAdd; Return"))
	fails  = classText("F extends Object", method("static void clinit()", "Push null; Throw"), method("static int t()", "Push 7; Return"))
	belowF = classText("G extends F", "field static int s\n", method("static int u()", "Push 8; Return"))
)

// TestRows has a program for every row of the table of steps and for every instruction: how it ends, and facts about the final state.
func TestRows(t *testing.T) {
	for _, x := range []struct{ name, code, classes, want string }{
		{"32 bits", "Push 2147483647; Push 1; IAdd; " + keep + ";" + end, "", "r=-2147483648"},
		{"Load, Store", "Push 5; Store 0; Push 6; Store 1; Load 0; " + keep + ";" + end, "", "r=5"},
		{"Pop", "Push 5; Push 6; Pop; " + keep + ";" + end, "", "r=5"},
		{"Goto", "Push 1; Goto +3; Pop; Push 2; " + keep + ";" + end, "", "r=1"},
		{"CmpEq and IfFalse, equal", "Push 3; Push 3; CmpEq; IfFalse +3; Push 1; " + keep + ";" + end, "", "r=1"},
		{"CmpEq and IfFalse, not equal", "Push 3; Push 4; CmpEq; IfFalse +3; Push 1; " + keep + ";" + end, "", "r=0"},
		{"CmpEq of objects", "New A; New A; CmpEq; IfFalse +3; Push 1; " + keep + ";" + end, plainA, "r=0"},

		{"New, Putfield, Getfield", "New A; Store 0; Load 0; Push 4; Putfield f A; Load 0; Getfield f A; " + keep + ";" + end, plainA, "r=4 A=Done"},
		{"a hidden field", "New B; Store 0; Load 0; Push 4; Putfield f A; Load 0; Push 5; Putfield f B; Load 0; Getfield f A; " + keep + ";" + end, plainA + belowA, "r=4"},
		{"Getfield of null", "Push null; Getfield f A; " + keep + ";" + end, plainA, "raises NullPointer A=Absent"},
		{"Putfield of null", "Push null; Push 1; Putfield f A; " + end, plainA, "raises NullPointer"},
		{"Getfield of a static field", "New A; Getfield s A; " + keep + ";" + end, plainA, "raises IncompatibleClassChangeError"},
		{"Getfield of a missing field", "New A; Getfield z A; " + keep + ";" + end, plainA, "raises NoSuchFieldError"},
		{"OutOfMemory", "New A; Pop; Goto -2", plainA, "raises OutOfMemory"},

		{"Getstatic", "Getstatic A s A; " + keep + ";" + end, plainA, "r=0 A=Done"},
		{"Getstatic through a subclass", "Push 3; Putstatic B s A; Getstatic A s A; " + keep + ";" + end, plainA + belowA, "r=3 A=Done B=Absent"},
		{"Getstatic of an instance field, before initialization", "Getstatic A f A; " + keep + ";" + end, plainA, "raises IncompatibleClassChangeError A=Absent"},
		{"Putstatic of a missing field, before initialization", "Push 1; Putstatic A z A; " + end, plainA, "raises NoSuchFieldError A=Absent"},

		{"Checkcast", "New B; Checkcast A; Pop; " + end, plainA + belowA, "ends"},
		{"Checkcast of null", "Push null; Checkcast A; Pop; " + end, plainA, "ends A=Absent"},
		{"Checkcast fails", "New A; Checkcast B; Pop; " + end, plainA + belowA, "raises ClassCast B=Absent"},

		{"Invoke, overridden", "New B; Push 5; Invoke m 1; " + keep + ";" + end, plainA + belowA, "r=7"},
		{"Invoke, inherited", "New D; Push 5; Invoke m 1; " + keep + ";" + end, plainA + classText("D extends A"), "r=6"},
		{"Invoke on null", "Push null; Push 5; Invoke m 1; " + keep + ";" + end, plainA, "raises NullPointer"},
		{"Invoke of a static method", "New A; Invoke t 0; " + keep + ";" + end, plainA, "raises IncompatibleClassChangeError"},
		{"Invoke of a missing method", "New A; Invoke z 0; " + keep + ";" + end, plainA, "raises NoSuchMethodError"},
		{"Invokestatic through a subclass", "Invokestatic B t 0; " + keep + ";" + end, plainA + belowA, "r=7 A=Done B=Absent"},
		{"Invokestatic of an instance method, before initialization", "Push 1; Invokestatic A m 1; " + keep + ";" + end, plainA, "raises IncompatibleClassChangeError A=Absent"},
		{"Invokestatic of a missing method, before initialization", "Invokestatic A z 0; " + keep + ";" + end, plainA, "raises NoSuchMethodError A=Absent"},

		{"superclasses are initialized first", "New D; Pop; " + end,
			classText("D extends E", method("static void clinit()", "Getstatic Test r Test; Push 10; IAdd; "+keep+";"+end)) +
				classText("E extends Object", method("static void clinit()", "Getstatic Test r Test; Getstatic Test r Test; IAdd; Push 1; IAdd; "+keep+";"+end)), "r=11 D=Done E=Done"},
		{"a class that is being initialized counts as initialized", "New D; Pop; " + end,
			classText("D extends Object", method("static void clinit()", "New E; Pop; "+end)) + classText("E extends Object", method("static void clinit()", "New D; Pop; "+end)), "D=Done E=Done"},
		{"a failed initialization marks all classes below", "New G; Pop; " + end, fails + belowF, "raises NullPointer F=Error G=Error"},
		{"a failed class stays failed", "Invokestatic F t 0; Pop; Goto +2; Pop; Invokestatic F t 0;" + keep + ";" + end + "; catch Object from 0 to 1 at 3 depth 0", fails, "raises NoClassDefFoundError"},
		{"below a failed class", "Invokestatic F t 0; Pop; Goto +2; Pop; New G; Pop;" + end + "; catch Object from 0 to 1 at 3 depth 0", fails + belowF, "raises NoClassDefFoundError G=Error"},
		{"a failed superclass is not asked for what it declares alone", "Getstatic G s G; " + keep + ";" + end, fails + belowF, "raises NullPointer"},

		{"a handler", "Push null; Throw; Pop; Push 2; " + keep + ";" + end + "; catch NullPointer from 0 to 2 at 2 depth 0", "", "r=2"},
		{"a handler of a superclass", "New B; Throw; Pop; Push 2; " + keep + ";" + end + "; catch A from 0 to 2 at 2 depth 0", plainA + belowA, "r=2"},
		{"a handler of another class", "New A; Throw; Pop; " + end + "; catch B from 0 to 2 at 2 depth 0", plainA + belowA, "raises A"},
		{"a handler of another range", "New A; Throw; Pop; " + end + "; catch A from 0 to 1 at 2 depth 0", plainA, "raises A"},
		{"the first handler wins", "Push null; Throw; Pop; Push 2; Goto +3; Pop; Push 3; " + keep + ";" + end + "; catch Object from 0 to 2 at 2 depth 0; catch NullPointer from 0 to 2 at 5 depth 0", "", "r=2"},
		{"a handler keeps a part of the stack", "Push 9; Push 8; Push null; Throw; Pop; " + keep + ";" + end + "; catch Object from 3 to 4 at 4 depth 1", "", "r=9"},
		{"a handler of a caller", "Invokestatic D t 0; Pop; Goto +4; Pop; Push 2; " + keep + ";" + end + "; catch Object from 0 to 1 at 3 depth 0",
			classText("D extends Object", method("static int t()", "Push null; Throw")), "r=2"},
		{"a static initializer that catches", "New D; Pop; " + end, classText("D extends Object", method("static void clinit()", "Push null; Throw; Pop; "+end+"; catch Object from 0 to 2 at 2 depth 0")), "D=Done"},
		{"a static initializer's exception is caught where initialization was called", "New F; Pop; Goto +4; Pop; Push 2; " + keep + ";" + end + "; catch NullPointer from 0 to 1 at 3 depth 0", fails, "r=2 F=Error"},
		{"Throw of null", "Push null; Throw", "", "raises NullPointer"},
	} {
		t.Run(x.name, func(t *testing.T) {
			p, err := Parse(testText(x.code) + x.classes)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Verify(p, Missing); err != nil {
				t.Fatal(err)
			}
			var s State
			StartState(p, &s)
			if _, err := Run(p, &s, 1_000_000); err != nil {
				t.Fatal(err)
			}
			for _, fact := range strings.Split(strings.ReplaceAll(x.want, "raises ", "raises="), " ") {
				holds(t, p, &s, fact)
			}
		})
	}
}

// holds checks a fact about a final state: r=5, A=Done, raises=E, ends. Without `raises` nothing may be raised.
func holds(t *testing.T, p *Program, s *State, fact string) {
	t.Helper()
	name, want, _ := strings.Cut(fact, "=")
	got := "?"
	switch name {
	case "raises":
		c, _ := s.ClassOf(int(s.Raised))
		got = p.Names.Class(c)
	case "ends":
		if s.Raised < 0 {
			got = ""
		}
	case "r":
		v, _ := s.Static(Test, p.Names.memberIDs["r"])
		if got = v.String(); s.Raised >= 0 {
			got = "an exception"
		}
	default:
		got = s.Flag(p.Names.classIDs[name]).String()
	}
	if got != want {
		t.Errorf("%s: got %s\n%s", fact, got, s.Text(p.Names))
	}
}

// TestVerify has a program for every reason why one is not well-formed. A reason in brackets is for the strength Paper alone: Missing accepts the program.
func TestVerify(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"class A extends B {\n}\n", "class A: has a superclass that does not exist"},
		{classText("A extends B") + classText("B extends A"), "is its own superclass"},
		{"class A extends Object {\n}\n", "class A: has no clinit"},
		{"class Test extends Object {\n" + method("static void clinit()", end) + "}\n", "class Test: has no main"},
		{classText("Test extends Object", method("static int main()", "Push 1; Return")), "class Test: has a main that is not static void main()"},
		{classText("A extends Object", "field B f\n"), "class A: has a field of a type that does not exist"},
		{classText("A extends Object", "field void f\n"), "class A: has a field of a type that does not exist"},
		{classText("A extends Object", method("int m(B)", "Push 1; Return")), "A.m: has a parameter of a type that does not exist"},
		{classText("A extends Object", method("B m()", "Push null; Return")), "A.m: has a result of a type that does not exist"},
		{classText("A extends Object", method("static int clinit()", "Push 1; Return")), "A.clinit: is not static void clinit()"},
		{plainA + classText("B extends A", method("boolean m(int)", "Push true; Return")), "B.m: does not fit"},
		{plainA + classText("B extends A", method("static int m(int)", "Push 1; Return")), "[B.m: does not fit]"},
		{testText("Load 0; Pop; " + end), "Test.main:0: loads a local that has no value"},
		{testText("Push 1; Store 2; " + end), "stores into a local that does not exist"},
		{testText("Pop; " + end), "Test.main:0: needs more values on the stack"},
		{testText("New Z; Pop; " + end), "names a class that does not exist"},
		{testText("Push 1; Checkcast Test; Pop; " + end), "casts a value that is no object"},
		{testText("Push 1; Return"), "returns a value of another type than the method's"},
		{testText("Push 1; Push true; IAdd; Pop; " + end), "adds values that are no integers"},
		{testText("Push 1; Push true; CmpEq; Pop; " + end), "compares values of different types"},
		{testText("Push 1; IfFalse +1; " + end), "tests a value that is no boolean"},
		{testText("Push 1; Throw"), "throws a value that is no object"},
		{testText("Push unit"), "Test.main:0: leads outside the code"},
		{testText("Goto -1; " + end), "leads outside the code"},
		{testText("Push 1; Push 1; Push 1; Push 1; Push 1; " + end), "needs a larger stack"},
		{testText("Push true; IfFalse +2; Push 1; " + end), "is reached with stacks of different heights"},
		{testText("Push true; IfFalse +3; Push 1; Goto +2; Push true; Pop; " + end), "is reached with stacks of different types"},
		{testText("New A; Getfield s A; "+keep+";"+end) + plainA, "[names a member that is static where it must not be, or the other way round]"},
		{testText("New A; Getfield z A; "+keep+";"+end) + plainA, "[names a member that does not exist]"},
		{testText("New Test; Getfield f A; "+keep+";"+end) + plainA, "uses a field of an object of another class"},
		{testText("New A; Push true; Putfield f A; "+end) + plainA, "assigns a value of another type than the field's"},
		{testText("Getstatic B s B; "+keep+";"+end) + plainA + belowA, "[names another class than the one that declares the member]"},
		{testText("Push true; Putstatic A s A; "+end) + plainA, "assigns a value of another type than the field's"},
		{testText("New A; Invoke m 0; Pop; "+end) + plainA, "calls with another number of arguments than the method has"},
		{testText("New A; Push true; Invoke m 1; Pop; "+end) + plainA, "calls with an argument of another type than the method's"},
		{testText("Push 1; Invoke m 0; Pop; "+end) + plainA, "calls a method of a value that is no object"},
		{testText("New A; Invoke w 0; Pop; "+end) + plainA + classText("B extends A", method("int w()", "Push 1; Return")), "[names a member that does not exist]calls a method that only a subclass has"},
		{testText("Invokestatic A clinit 0; Pop; "+end) + plainA, "calls a static initializer"},
		{testText("Invokestatic A w 0; Pop; "+end) + plainA, "[names a member that does not exist]"},
		{testText(end + "; catch Z from 0 to 1 at 1 depth 0"), "catches a class that does not exist"},
		{testText(end + "; catch Object from 0 to 9 at 1 depth 0"), "has a row of its exception table that is outside the code"},
		{testText(end + "; catch Object from 0 to 1 at 1 depth 4"), "deeper than the stack"},
		{testText("Push null; Throw; " + end + "; catch Object from 0 to 2 at 2 depth 1"), "lower than its exception handler expects"},
	} {
		p, err := Parse(x.text)
		if err != nil {
			t.Fatalf("%v\n%s", err, x.text)
		}
		paper, missing, both := x.want, x.want, true
		if head, tail, ok := strings.Cut(x.want, "]"); ok {
			paper, missing, both = head[1:], tail, tail != ""
		}
		if _, err := Verify(p, Paper); err == nil || !strings.Contains(err.Error(), paper) {
			t.Errorf("paper: got %v, want %s\n%s", err, paper, p)
		}
		if _, err := Verify(p, Missing); (err != nil) != both || err != nil && !strings.Contains(err.Error(), missing) {
			t.Errorf("missing: got %v, want %s\n%s", err, missing, p)
		}
	}
}

// TestTypes checks what the verifier knows at an instruction that two paths reach.
func TestTypes(t *testing.T) {
	p, err := Parse(testText("Push true; IfFalse +3; New B; Goto +2; New D; Pop; "+end) + plainA + belowA + classText("D extends A"))
	if err != nil {
		t.Fatal(err)
	}
	typing, err := Verify(p, Paper)
	if err != nil {
		t.Fatal(err)
	}
	at := typing.At(Test, Main)[5]
	if a := ClassType(p.Names.classIDs["A"]); !at.Reached || len(at.Stack) != 1 || at.Stack[0] != a || at.Locals[0] != Unusable {
		t.Errorf("got %+v", at)
	}
}
