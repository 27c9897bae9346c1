package minijvm

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParse checks that what parses prints, that the print parses to the same print, and that what does not parse gives nothing.
func FuzzParse(f *testing.F) {
	f.Add("class C extends Object {\n field static int f\n method static int m(int, C) stack 2 locals 0 {\n Load 0\n Return\n catch C from 0 to 1 at 1 depth 0\n}\n}\n")
	f.Add("class A extends B {\n}\nclass B extends A {\n}\nchange {\nremove A\nclass B extends Object {\n}\n}\n")
	f.Add("class Object {\n field boolean f\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := ParsePair(text)
		if err != nil {
			var syntax *SyntaxError
			if x != (Pair{}) || !errors.As(err, &syntax) {
				t.Fatalf("error %v (%T) with a result", err, err)
			}
			return
		}
		printed := x.String()
		y, err := ParsePair(printed)
		if err != nil {
			t.Fatalf("%v\nprinted:\n%s", err, printed)
		}
		if again := y.String(); again != printed {
			t.Fatalf("printed\n%s\nthen\n%s", printed, again)
		}
		tame(t, x.Before)
	})
}

// tame runs any program, well-formed or not: neither the verifier nor the machine may panic, and a verified program is never stuck.
func tame(t *testing.T, p *Program) {
	_, err := Verify(p, Missing)
	if _, strict := Verify(p, Paper); strict == nil && err != nil {
		t.Fatalf("the stronger verifier accepts what the weaker refuses: %v\n%s", err, p)
	}
	var s State
	StartState(p, &s)
	if _, run := Run(p, &s, 200); err == nil && errors.Is(run, ErrStuck) {
		t.Fatalf("a well-formed program is stuck:\n%s%s", p, s.Text(p.Names))
	}
}

func TestSyntaxErrors(t *testing.T) {
	const head = "class C extends Object {\n"
	for _, x := range []struct{ text, want string }{
		{"field int f", `line 1: want a class or a change, got "field"`},
		{"class C {", `line 1: want "extends", got "{"`},
		{"class Start extends Object {", "line 1: the class Start runs the test and cannot be defined"},
		{"class 7 extends Object {", `line 1: want the name of a class, got "7"`},
		{head, "line 2: the text ends inside of { }"},
		{head + "field int f\nfield C f\n}", "line 3: field f is there twice"},
		{head + "}\n" + head + "}", "line 4: class C is there twice"},
		{head + "method void m() stack 1 locals 0 {\n}\nmethod void m() stack 1 locals 0 {\n}\n}", "line 4: method m is there twice"},
		{head + "method void m() stack 999 locals 0 {", `line 2: want a number from 0 to 255, got "999"`},
		{head + "method void m() stack 1 locals 0 {\n1: Return", "line 3: this instruction has the number 0, not 1"},
		{head + "method void m() stack 1 locals 0 {\nFly", `line 3: "Fly" is no instruction`},
		{head + "method void m() stack 1 locals 0 {\nPush 3000000000", `line 3: want unit, null, true, false or a number of 32 bits`},
		{head + "method void m() stack 1 locals 0 {\nPop 1", `line 3: "1" is too much`},
		{"change {\nremove X\n}", "the change removes X, which the program does not define or the change does"},
		{"change {\n}\n" + head, "line 3: a class after the change"},
	} {
		_, err := ParsePair(x.text)
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q gives %v, want %s", x.text, err, x.want)
		}
	}
}

func TestTooManyClasses(t *testing.T) {
	var b strings.Builder
	for i := range MaxClasses {
		b.WriteString("class C" + strings.Repeat("x", i) + " extends Object {\n}\n")
	}
	_, err := ParsePair(b.String())
	if err == nil || !strings.Contains(err.Error(), "is one too many: a program has at most 64 class names") {
		t.Errorf("got %v", err)
	}
}
