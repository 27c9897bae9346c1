package collected

import (
	"reflect"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/cfg"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/observed"
)

// nothing is an outside with java/lang/Object alone.
type nothing struct{}

func (nothing) Lookup(string) (*hierarchy.Class, error) { return nil, hierarchy.ErrNotFound }

func (nothing) Checksum(name string) digest.Digest {
	if name == object {
		return digest.OfString("JDK")
	}
	return digest.Absent
}

// branch is a method that uses class p/X if its argument is not 0, and then p/Y.
var branch = observed.Method{Class: "p/A", Name: "m", Descriptor: "(I)V"}

func program(t *testing.T, classes ...*assemble.Class) *observed.Program {
	t.Helper()
	files := map[string][]byte{}
	for _, c := range classes {
		data, err := c.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		file, err := classfile.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		files[file.Name()] = data
	}
	p, err := observed.NewProgram(files, nothing{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func branching() *assemble.Class {
	c := assemble.New(assemble.Header{Major: 50, Access: classfile.Public | classfile.Super, Name: branch.Class, Super: object})
	k := c.Code()
	end := k.Label()
	k.Op(bytecode.Iload0)
	k.Branch(bytecode.Ifeq, end)
	k.Field(bytecode.Getstatic, "p/X", "f", "I")
	k.Op(bytecode.Pop)
	k.Mark(end)
	k.Class(bytecode.New, "p/Y")
	k.Op(bytecode.Pop, bytecode.Return)
	c.AddMethod(classfile.Public|classfile.Static, branch.Name, branch.Descriptor, k)
	return c
}

// edgesTo are the edges of a method that lead to a block.
func edgesTo(t *testing.T, p *observed.Program, block int) []int {
	t.Helper()
	file := p.Class(branch.Class).File
	code, err := file.Code(&file.Methods[0])
	if err != nil {
		t.Fatal(err)
	}
	g, err := cfg.Of(file, code)
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for i, e := range g.Edges {
		if e.To == block {
			out = append(out, i)
		}
	}
	return out
}

func classesOf(uses []Use) []string {
	var out []string
	for _, u := range uses {
		out = append(out, u.Op.String()+" "+u.Class)
	}
	return out
}

// TestUses: with edges only blocks that were run count, without them all do.
func TestUses(t *testing.T) {
	p := program(t, branching())
	first, last := edgesTo(t, p, 0), edgesTo(t, p, 2)
	skipped := &observed.Trace{Detailed: true, Edges: map[observed.Method][]int{branch: append(first, last...)}}
	both := []string{"getstatic p/X", "new p/Y"}
	for _, c := range []struct {
		name  string
		trace *observed.Trace
		want  []string
	}{
		{"edges", skipped, both[1:]},
		{"no edges of the method", &observed.Trace{Detailed: true}, both},
		{"not detailed", &observed.Trace{Edges: skipped.Edges}, both},
		{"together with a coarse one", Together([]observed.Run{{Trace: skipped}, {Trace: &observed.Trace{Detailed: true, Coarse: []observed.Method{branch}}}}), both},
		{"together with one that is not detailed", Together([]observed.Run{{Trace: skipped}, {Trace: &observed.Trace{}}}), both},
		{"together with another", Together([]observed.Run{{Trace: skipped}, {Trace: &observed.Trace{Detailed: true, Edges: map[observed.Method][]int{branch: edgesTo(t, p, 1)}}}}), both},
	} {
		uses, err := NewReader(p).Uses(c.trace, branch)
		if got := classesOf(uses); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	for _, wrong := range []int{-1, 1000} {
		trace := &observed.Trace{Detailed: true, Edges: map[observed.Method][]int{branch: {wrong}}}
		if uses, err := NewReader(p).Uses(trace, branch); err == nil || uses != nil {
			t.Errorf("edge %d: %v, %v", wrong, uses, err)
		}
	}
	if _, err := NewReader(p).Uses(&observed.Trace{}, observed.Method{Class: "p/A", Name: "gone", Descriptor: "()V"}); err == nil {
		t.Error("a method that is not there has uses")
	}
}

// TestAbove: supertypes, also ones that do not exist or go round in a circle.
func TestAbove(t *testing.T) {
	class := func(name, super string, interfaces ...string) *assemble.Class {
		return assemble.New(assemble.Header{Major: 50, Access: classfile.Public | classfile.Super, Name: name, Super: super, Interfaces: interfaces})
	}
	r := NewReader(program(t, class("p/A", object), class("p/B", "p/A", "p/I", "q/Missing"), class("p/I", object), class("p/C", "p/D"), class("p/D", "p/C")))
	for name, want := range map[string][]string{
		"p/A": {"p/A"}, "p/B": {"p/A", "p/B", "p/I", "q/Missing"}, "q/Gone": {"q/Gone"}, object: nil, "p/C": {"p/C", "p/D"}, "p/D": {"p/C", "p/D"},
	} {
		if got := r.Above(name); !reflect.DeepEqual(got, want) {
			t.Errorf("above %s: %v, want %v", name, got, want)
		}
	}
}

// TestElement: arrays stand for their elements.
func TestElement(t *testing.T) {
	for name, want := range map[string]string{"p/A": "p/A", "[[Lp/A;": "p/A", "[I": "", "Lone": "Lone"} {
		if got := element(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestTogether: lists are sorted and have everything once, and one run stays as it is.
func TestTogether(t *testing.T) {
	a, b := observed.Method{Class: "p/A", Name: "a", Descriptor: "()V"}, observed.Method{Class: "p/B", Name: "b", Descriptor: "()V"}
	one := observed.Run{Trace: &observed.Trace{Entered: []observed.Method{b}, Libraries: []string{"l/L"}, Detailed: true, Edges: map[observed.Method][]int{b: {0, 3}},
		Received: []observed.Received{{Method: b, Type: "p/B"}}, Reflective: []observed.Call{{From: a, To: b}}}}
	two := observed.Run{Trace: &observed.Trace{Entered: []observed.Method{a, b}, Libraries: []string{"l/K", "l/L"}, Detailed: true, Edges: map[observed.Method][]int{b: {0, 1}},
		Received: []observed.Received{{Method: b, Type: "p/A"}, {Method: b, Type: "p/B"}}, Reflective: []observed.Call{{From: a, To: b}}, Coarse: []observed.Method{a}}}
	want := &observed.Trace{Entered: []observed.Method{a, b}, Libraries: []string{"l/K", "l/L"}, Detailed: true, Edges: map[observed.Method][]int{b: {0, 1, 3}},
		Received: []observed.Received{{Method: b, Type: "p/A"}, {Method: b, Type: "p/B"}}, Reflective: []observed.Call{{From: a, To: b}}, Coarse: []observed.Method{a}}
	if got := Together([]observed.Run{one, two}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if Together([]observed.Run{one}) != one.Trace {
		t.Error("one run is copied")
	}
}
