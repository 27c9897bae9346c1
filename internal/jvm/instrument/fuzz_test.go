package instrument

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"winnow/internal/jvm/classfile"
)

// seeds are small classes with everything that is moved.
func seeds(f *testing.F) {
	f.Helper()
	for _, data := range [][]byte{subroutine(f), gotoLast(f), emptyFrames(f), returns(f, "Returns", 1), coveredReturn(f), stackAtReturn(f), onlyReturn(f), annotated(f), joinedHandler(f), manyArms(f)} {
		f.Add(data)
	}
}

// annotated has type annotations of all targets in code, a table of variables and an attribute that nobody knows.
func annotated(t testing.TB) []byte {
	a := assemble(t, 52, "Annotated")
	c := a.method("f", "()I", "iconst_5\n istore_1\n iload_1\n ireturn", nil)
	mark := classfile.AnnotationUse{Type: a.utf8("LMark;")}
	list := &classfile.TypeAnnotations{}
	for _, target := range [][]byte{{0x40, 0, 1, 0, 2, 0, 2, 0, 1}, {0x42, 0, 0}, {0x43, 0, 2}, {0x47, 0, 1, 0}} {
		list.List = append(list.List, classfile.TypeAnnotation{Target: target[0], TargetInfo: target[1:], Annotation: mark})
	}
	a.attribute(c, "RuntimeVisibleTypeAnnotations", list)
	a.attribute(c, "LocalVariableTable", &classfile.LocalVariableTable{Variables: []classfile.LocalVariable{{Start: 2, Length: 2, Name: a.utf8("x"), Type: a.utf8("I"), Index: 1}}})
	a.attribute(c, "CharacterRangeTable", &classfile.CharacterRangeTable{Ranges: []classfile.CharacterRange{{Start: 0, End: 3, Flags: 1}}})
	a.attribute(c, "Strange", classfile.Unknown{1, 2, 3})
	return a.run().bytes()
}

// FuzzRewrite: an error, or a class with the same members and, method by method, the same instructions behind the prologue.
func FuzzRewrite(f *testing.F) {
	seeds(f)
	s := Scheme{Hooks: []Hook{{Class: "Returns", Target: "event", Methods: []Method{{"f", "()I"}}}, {Class: "Annotated", Target: "event", Methods: []Method{{"f", "()I"}}}}}
	r, edges := newRewriter(f, s), newRewriter(f, Scheme{Edges: true, Receivers: true})
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		res, err := r.Rewrite(data)
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			if res != nil {
				t.Fatal("an error with a result")
			}
			return
		}
		if _, err := classfile.Read(res.Bytes); err != nil {
			t.Fatalf("the result: %v", err)
		}
		if _, err := classfile.Decode(data); err == nil {
			if err := differences(data, res, s); err != nil {
				t.Fatal(err)
			}
			fuzzEdges(t, edges, data)
		}
		again, rest, err := ReadResult(res.Append(nil))
		if err != nil || len(rest) != 0 || !bytes.Equal(again.Append(nil), res.Append(nil)) {
			t.Fatalf("encoding: %v", err)
		}
		if err := res.Rebase(1 << 20); err != nil {
			t.Fatal(err)
		}
		if _, err := classfile.Read(res.Bytes); err != nil {
			t.Fatalf("after Rebase: %v", err)
		}
	})
}

// fuzzEdges: with probes on edges, the class is still one, and each method has all its edges or a reason.
func fuzzEdges(t *testing.T, r *Rewriter, data []byte) {
	t.Helper()
	res, err := r.Rewrite(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := wellEdged(data, res); err != nil {
		t.Fatal(err)
	}
	again, rest, err := ReadResult(res.Append(nil))
	if err != nil || len(rest) != 0 || !reflect.DeepEqual(again, res) {
		t.Fatalf("encoding: %v", err)
	}
}

// FuzzReadResult: an error without a result, or a result that is written as it was read and can be rebased.
func FuzzReadResult(f *testing.F) {
	r := newRewriter(f, Scheme{Hooks: []Hook{{Class: "Annotated", Target: "event", Methods: []Method{{"f", "()I"}, {"g", "()I"}}}, {Class: "Annotated"}}})
	res, err := r.Rewrite(annotated(f))
	if err != nil {
		f.Fatal(err)
	}
	res.Edges, res.Edgeless = []EdgeProbe{{"f", "()I", 0, 3, 2}}, []Unprobed{{Name: "h", Reason: TooWide}}
	res.Unreceived = []Unprobed{{Name: "k", Reason: Huge}}
	res.Unprobed = []Unprobed{{Name: "g", Descriptor: "()V", Method: 1, Reason: Malformed, Detail: "why"}}
	f.Add(res.Append(nil))
	f.Add((&Result{}).Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, rest, err := ReadResult(data)
		if err != nil {
			if r != nil || rest != nil {
				t.Fatal("an error with a result")
			}
			return
		}
		if !bytes.Equal(append(r.Append(nil), rest...), data) {
			t.Fatal("written otherwise than read")
		}
		if err := r.Rebase(7); err != nil {
			t.Fatal(err)
		}
	})
}

// TestReadResultRefuses: a result with which Rebase would write outside the class file is none, nor one cut off or with unknown values.
func TestReadResultRefuses(t *testing.T) {
	good := Result{Name: "C", Bytes: make([]byte, 20), IDs: 2, IDOffset: 11, Unprobed: []Unprobed{{Reason: Malformed}}}
	data := good.Append(nil)
	if r, rest, err := ReadResult(append(data, 1)); err != nil || !bytes.Equal(rest, []byte{1}) || !reflect.DeepEqual(*r, good) {
		t.Errorf("got %+v, %v, %v", r, rest, err)
	}
	for n := range data {
		if r, _, err := ReadResult(data[:n]); r != nil || !errors.Is(err, ErrEncoding) {
			t.Errorf("%d of %d bytes: %v, %v", n, len(data), r, err)
		}
	}
	for _, change := range []func(*Result){
		func(r *Result) { r.IDOffset = 12 }, func(r *Result) { r.IDs = 3 }, func(r *Result) { r.IDs = 1 << 31 }, func(r *Result) { r.Window = LostWindow + 1 },
		func(r *Result) { r.Unprobed = []Unprobed{{Reason: Unwanted + 1}} },
	} {
		bad := good
		change(&bad)
		if r, _, err := ReadResult(bad.Append(nil)); r != nil || err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
