package table

import (
	"bytes"
	"reflect"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
)

// A table and refs with a bit of everything. They are written down because every process of a fuzzing run makes them.
var (
	fuzzTable = &Table{
		Name: "p/A.m()V.anon#0", File: "p/A$1", Opaque: "Mystery", Link: digest.OfString("link"), Reflect: digest.OfString("reflect"), Major: 61, Access: classfile.Final,
		Super: "java/lang/Object", Interfaces: []string{"p/I", "p/J"}, NestHost: "p/A", NestMembers: []string{"p/A$2"}, Sealed: true, Permitted: []string{"p/B"},
		Fields: []hierarchy.Member{{Name: "f", Descriptor: "I", Access: classfile.Static}},
		Methods: []Method{{Name: "a", Descriptor: "()V", FileName: "a", FileDescriptor: "()V", Body: digest.Absent},
			{Name: "m()V.lambda#0", Descriptor: "(Lp/A.m()V.anon#0;)V", FileName: "lambda$m$0", FileDescriptor: "(Lp/A$1;)V", Access: classfile.Private, Body: digest.OfString("body")}},
	}
	fuzzRefs = &Refs{Class: "p/A", Methods: []MethodRefs{{Name: "m", Descriptor: "()V", Classes: []string{"p/B", "p/C"},
		Fields: []FieldUse{{Owner: "p/B", Name: "f", Descriptor: "I", Static: true, Write: true}, {Owner: "p/C", Name: "g", Descriptor: "I", Handle: true}},
		Calls:  []Call{{Op: bytecode.Invokeinterface, Owner: "p/C", Name: "m", Descriptor: "()V", Interface: true}, {Op: bytecode.Invokestatic, Owner: "p/B", Name: "s", Descriptor: "()V", Handle: true}}}}}
)

func TestRoundTrip(t *testing.T) {
	table, err := Decode(fuzzTable.Append(nil))
	if err != nil || !reflect.DeepEqual(table, fuzzTable) {
		t.Errorf("%+v, %v", table, err)
	}
	refs, err := DecodeRefs(fuzzRefs.Append(nil))
	if err != nil || !reflect.DeepEqual(refs, fuzzRefs) {
		t.Errorf("%+v, %v", refs, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(fuzzTable.Append(nil))
	f.Add((&Table{}).Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Decode(data)
		if err != nil {
			if table != nil {
				t.Error("a table with an error")
			}
			return
		}
		if !bytes.Equal(table.Append(nil), data) {
			t.Error("another encoding")
		}
	})
}

func FuzzDecodeRefs(f *testing.F) {
	f.Add(fuzzRefs.Append(nil))
	f.Add((&Refs{}).Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		refs, err := DecodeRefs(data)
		if err != nil {
			if refs != nil {
				t.Error("refs with an error")
			}
			return
		}
		if !bytes.Equal(refs.Append(nil), data) {
			t.Error("another encoding")
		}
	})
}

// FuzzShelf puts any bytes behind right checksums: an index that is not one is an error, not a crash.
func FuzzShelf(f *testing.F) {
	s := &shelf{index: index{ready: true, groups: []group{{name: "p/A", rows: []row{{name: "p/A", canonical: "p/A", tableData: []byte{1}, refsData: []byte{2}}}}}}}
	s.sum()
	data := s.encode()
	f.Add(data[shelfHead:], 2)
	f.Fuzz(func(t *testing.T, data []byte, blobs int) {
		s := &shelf{head: head{indexSum: digest.Of(data), summarySum: digest.Of(data)}}
		if s.decodeIndex(data, blobs) == nil && !s.ready {
			t.Error("an index that is not ready")
		}
		if err := s.decodeSummary(data); err == nil && len(data) == 0 {
			t.Error("a summary of nothing")
		}
	})
}
