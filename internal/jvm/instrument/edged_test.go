package instrument

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	asm "winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/cfg"
	"winnow/internal/jvm/classfile"
)

// wellEdged tells what is wrong with a class that has probes on edges, as far as it can be seen without running it: every method with a probe has all its edges or a reason, the ids are
// inside, only edges that may share an id do, the control flow makes sense, and the original instructions are there in their order.
func wellEdged(original []byte, r *Result) error {
	before, err := classfile.Decode(original)
	if err != nil {
		return err
	}
	after, err := classfile.Decode(r.Bytes)
	if err != nil {
		return fmt.Errorf("the result: %w", err)
	}
	edges := map[int][]EdgeProbe{}
	for _, e := range r.Edges {
		edges[e.Method] = append(edges[e.Method], e)
	}
	less := map[int]bool{}
	for _, u := range r.Edgeless {
		less[u.Method] = true
	}
	owner := map[int]string{}
	for _, p := range r.Probes {
		if (len(edges[p.Method]) > 0) == less[p.Method] {
			return fmt.Errorf("%s must have edges or a reason", p.Name)
		}
		if less[p.Method] {
			continue
		}
		if err := wellEdgedMethod(before, after, p, edges[p.Method], r, owner); err != nil {
			return fmt.Errorf("%s%s: %w", p.Name, p.Descriptor, err)
		}
	}
	return nil
}

func wellEdgedMethod(before, after *classfile.Class, p Probe, edges []EdgeProbe, r *Result, owner map[int]string) error {
	old, err := before.Code(&before.Methods[p.Method])
	if err != nil {
		return err
	}
	code, err := after.Code(&after.Methods[p.Method])
	if err != nil {
		return err
	}
	g, err := cfg.Of(before, old)
	if err == nil {
		err = g.Check()
	}
	if err != nil {
		return err
	}
	if len(edges) != len(g.Edges) {
		return fmt.Errorf("%d edges have probes, %d should", len(edges), len(g.Edges))
	}
	for i, e := range edges {
		name := fmt.Sprint(p.Method, " ", i)
		switch kind := g.Edges[i].Kind; kind {
		case cfg.Begin:
			name = fmt.Sprint(p.Method)
		case cfg.Exception, cfg.Back:
			name = fmt.Sprint(p.Method, kind, g.Edges[i].To)
		}
		if known := owner[e.ID]; e.Edge != i || e.ID >= r.IDs || known != "" && known != name || (e.ID == p.ID) != (i == 0) {
			return fmt.Errorf("edge %d, %s, has the probe %+v of %s", i, g.Edges[i], e, known)
		}
		owner[e.ID] = name
	}
	if again, err := cfg.Of(after, code); err != nil {
		return err
	} else if err := again.Check(); err != nil {
		return err
	}
	return inOrder(old.Bytes, code.Bytes)
}

// inOrder: leaving out what was inserted gives the operations of the original.
func inOrder(old, code []byte) error {
	olds, news := walk(old), walk(code)
	k := 0
	for i := range olds {
		for k < len(news) && !(news[k].Op == olds[i].Op && news[k].Index == olds[i].Index && news[k].Value == olds[i].Value && news[k].PC%4 == olds[i].PC%4) {
			k++
		}
		if k == len(news) {
			return fmt.Errorf("%s at %d is gone", olds[i].Op, olds[i].PC)
		}
		k++
	}
	if bytes.Equal(old, code) {
		return fmt.Errorf("nothing was inserted")
	}
	return nil
}

// TestEdgeless: a method whose edges cannot have probes keeps that of its entry, and the result says why.
func TestEdgeless(t *testing.T) {
	jump := func(name string, distance int) []byte {
		a := assemble(t, 52, name)
		a.method("f", "()I", fmt.Sprintf("aconst_null\n ifnull last\n mid: nops %d\n last: iconst_1\n ireturn", distance-3), nil, "last")
		return a.run().bytes()
	}
	for _, c := range []struct {
		name string
		data []byte
		want Reason
	}{
		{"Fits", jump("Fits", 7000), 0},
		{"Huge", jump("Huge", 7978), Huge},
		{"AlreadyHuge", jump("AlreadyHuge", 9000), 0},
		{"TooWide", jump("TooWide", 32760), TooWide},
		{"TooLong", longMethod(t, "TooLong", 65527), TooLong},
		{"PoolFull", fullPool(t, "PoolFull", 17), PoolFull},
		{"Coarse", fullPool(t, "Coarse", 15), PoolFull},
		{"Malformed", func() []byte {
			a := assemble(t, 52, "Malformed")
			a.method("f", "()I", "iconst_1\n nop", nil) // falls off its end
			return a.bytes()
		}(), Malformed},
	} {
		res, err := newRewriter(t, Scheme{Edges: true}).Rewrite(c.data)
		if err != nil {
			t.Fatal(err)
		}
		if err := wellEdged(c.data, res); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		fits := strings.HasPrefix(c.name, "Fits") || strings.HasPrefix(c.name, "Already")
		if fits != (len(res.Edgeless) == 0) || len(res.Unprobed) > 0 || !fits && res.Edgeless[0].Reason != c.want {
			t.Errorf("%s: edgeless %+v, unprobed %+v, want reason %s", c.name, res.Edgeless, res.Unprobed, c.want)
		}
	}
}

// TestUnreceived: a method that has room for its probe but not for passing its receiver keeps the probe, and the result says why.
func TestUnreceived(t *testing.T) {
	for _, c := range []struct {
		name            string
		size, constants int // of the method, of the class
		why             []Reason
	}{
		{"Fits", 7984, 0, nil},
		{"Huge", 7985, 0, []Reason{Huge}},
		{"AlreadyHuge", 8001, 0, nil},
		{"Longest", 65519, 0, nil},
		{"TooLong", 65520, 0, []Reason{TooLong}},
		{"PoolFits", 10, maxConstants - 7 - 4, nil},
		{"PoolFull", 10, maxConstants - 7 - 3, []Reason{PoolFull}},
	} {
		class := asm.New(asm.Header{Access: classfile.Public, Name: c.name, Super: "java/lang/Object"})
		k := class.Code()
		for range c.size - 1 {
			k.Op(bytecode.Nop)
		}
		k.Op(bytecode.Return)
		class.AddMethod(classfile.Public, "m", "()V", k)
		file := filled(t, class, c.constants)
		res, err := newRewriter(t, Scheme{Receivers: true}).Rewrite(file)
		if err != nil {
			t.Fatal(err)
		}
		var why []Reason
		for _, u := range res.Unreceived {
			why = append(why, u.Reason)
		}
		if !slices.Equal(why, c.why) || len(res.Unprobed) > 0 || len(res.Probes) != 1 {
			t.Errorf("%s: unreceived %v, unprobed %v, want %v", c.name, why, res.Unprobed, c.why)
		}
	}
}

// filled is a class file with so many constants at least.
func filled(t *testing.T, class *asm.Class, constants int) []byte {
	t.Helper()
	data, err := class.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	file, err := classfile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	for file.Pool.Len() < constants {
		if _, err := file.Pool.Add(classfile.Constant{Tag: classfile.TagInteger, Bits: uint64(1<<20 + file.Pool.Len())}); err != nil {
			t.Fatal(err)
		}
	}
	return file.Append(nil)
}
