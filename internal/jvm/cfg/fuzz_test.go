package cfg

import (
	"encoding/binary"
	"reflect"
	"testing"

	"winnow/internal/jvm/classfile"
)

// FuzzOf: an error without a graph, or a graph that is its code's and is made the same again. The rows of the exception table are eight bytes each.
func FuzzOf(f *testing.F) {
	for _, b := range bodies {
		_, code := assembled(f, b.major, b.build)
		var rows []byte
		for _, e := range code.Exceptions {
			for _, v := range []uint16{e.Start, e.End, e.Handler, e.Catch} {
				rows = binary.BigEndian.AppendUint16(rows, v)
			}
		}
		f.Add(code.Bytes, rows)
	}
	file, _ := assembled(f, 52, bodies[8].build)
	f.Fuzz(func(t *testing.T, bytes, rows []byte) {
		code := &classfile.Code{Bytes: bytes}
		for ; len(rows) >= 8 && len(code.Exceptions) < 100; rows = rows[8:] {
			code.Exceptions = append(code.Exceptions, classfile.Exception{Start: binary.BigEndian.Uint16(rows), End: binary.BigEndian.Uint16(rows[2:]),
				Handler: binary.BigEndian.Uint16(rows[4:]), Catch: binary.BigEndian.Uint16(rows[6:])})
		}
		g, err := Of(file, code)
		if err != nil {
			if g != nil {
				t.Fatal("an error with a graph")
			}
			return
		}
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		again, err := Of(file, code)
		if err != nil || !reflect.DeepEqual(g, again) {
			t.Fatalf("made otherwise the second time: %v", err)
		}
		for i := range min(len(g.Edges), 20) {
			g.OnAllPaths(i)
		}
	})
}
