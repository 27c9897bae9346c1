package inspect

import (
	"io"
	"testing"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

type unpainted struct{}

func (unpainted) Bold(s string) string   { return s }
func (unpainted) Dim(s string) string    { return s }
func (unpainted) Red(s string) string    { return s }
func (unpainted) Green(s string) string  { return s }
func (unpainted) Yellow(s string) string { return s }

// inputOf makes an input of one class file, nil if canon does not read it.
func inputOf(data []byte) *Input {
	unit, err := canon.Read(data)
	if err != nil {
		return nil
	}
	f := &file{name: unit.Name, data: data, unit: unit}
	in := &Input{Path: "fuzz", Kind: KindClass, single: f, files: []*file{f}}
	settle(in)
	return in
}

// FuzzViews makes all views of a class file that canon accepts: none may panic, and a class is the same as itself.
func FuzzViews(f *testing.F) {
	classes := jvmtest.Javac(f, jvmtest.JDK(f, 17), map[string]string{
		"p/A.java": `package p; @Deprecated(since = "1") public class A<T> implements Runnable {
			static final long L = 5; enum E { X } record R(int x) {} sealed interface S permits Y {} final class Y implements S {}
			public void run() { Runnable r = () -> {}; try { r.run(); } catch (RuntimeException e) { throw e; } new Object() { int k; }; }
			int pick(String s) throws java.io.IOException { switch (s) { case "a": return 1; default: return 2; } } }`,
		"module-info.java": `module m { requires java.logging; exports p; uses Runnable; }`,
	}, "-g", "-parameters")
	for _, data := range classes {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, again := inputOf(data), inputOf(data)
		if in == nil || in.single == nil {
			return
		}
		showAll(t, in)
		d, err := Compare(t.Context(), in, again, DiffOptions{Code: true, All: true})
		if err != nil {
			t.Fatal(err)
		}
		if d.Totals != (Totals{Same: 1, SameBytes: 1}) {
			t.Errorf("a class differs from itself: %+v", d)
		}
	})
}

// showAll makes the views of the class of an input, and explains every part and body against themselves.
func showAll(t *testing.T, in *Input) {
	t.Helper()
	class, err := in.Class("")
	if err != nil {
		t.Fatalf("canon accepts the class, the view does not: %v", err)
	}
	if err := class.Text(io.Discard, unpainted{}, true); err != nil {
		t.Error(err)
	}
	f := in.single
	for _, p := range f.digest.Parts() {
		if _, err := partDiff(f, f, p.Name, string(p.Kind), ""); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if _, err := encodingDiff(f, f); err != nil {
		t.Error(err)
	}
	for _, m := range f.digest.Methods {
		if m.FileName == "" {
			continue // a name that no one can ask for
		}
		v, err := in.Methods("", m.FileName)
		if err != nil {
			t.Fatalf("%s: %v", classfile.Text(m.FileName), err)
		}
		if err := v.Text(io.Discard, unpainted{}, true); err != nil {
			t.Error(err)
		}
	}
}
