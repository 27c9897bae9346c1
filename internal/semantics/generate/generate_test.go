package generate

import (
	"errors"
	"testing"

	"winnow/internal/semantics/minijvm"
)

// TestSource checks that programs and changes are well-formed, differ, never get stuck, do not depend on anything but the seed, and that every kind of change is made.
func TestSource(t *testing.T) {
	for _, cfg := range []Config{{}, {Strength: minijvm.Missing}, {Lowerable: true}} {
		const n = 3000
		s, again := NewSource(cfg, 1), NewSource(cfg, 1)
		kinds := map[string]int{}
		var ended, changed, caught, missing int
		for range n {
			p := s.Program()
			if p.String() != again.Program().String() {
				t.Fatal("equal seeds give different programs")
			}
			var st minijvm.State
			minijvm.StartState(p, &st)
			_, err := minijvm.Run(p, &st, 500)
			if errors.Is(err, minijvm.ErrStuck) {
				t.Fatalf("stuck:\n%s%s", p, st.Text(p.Names))
			}
			if err == nil {
				ended++
			}
			if c, ok := st.ClassOf(int(st.Raised)); ok && st.End() {
				caught++
				if c == minijvm.NoSuchFieldError || c == minijvm.NoSuchMethodError {
					missing++
				}
			}
			q, names := s.Change(p)
			again.Change(p)
			if q == nil {
				continue
			}
			changed++
			for _, k := range names {
				kinds[k]++
			}
			if _, err := minijvm.Verify(q, cfg.Strength); err != nil || p.Changed(q) == 0 {
				t.Fatalf("bad change: %v\n%s", err, minijvm.Pair{Before: p, After: q})
			}
		}
		for _, k := range Kinds() {
			if kinds[k.Name] == 0 && !(cfg.Lowerable && k.Name == "system exception") {
				t.Errorf("%+v: no change of kind %s", cfg, k.Name)
			}
		}
		if ended < n*8/10 || changed < n*8/10 || (missing > 0) != (cfg.Strength == minijvm.Missing) {
			t.Errorf("%+v: of %d programs %d ended, %d changed, %d lacked a member", cfg, n, ended, changed, missing)
		}
		t.Logf("%+v: %d ended, %d changed, %d raised, %d missing, refused %d of %d, %v", cfg, ended, changed, caught, missing, s.Refused, s.Tried, kinds)
	}
}

// TestBound checks the numbering, and that the bound has what it is documented to have.
func TestBound(t *testing.T) {
	b := NewBound()
	t.Logf("%d programs, %d neighbours each, %d blocks", b.Programs(), b.Neighbours(), b.Blocks())
	if _, to := b.Block(b.Blocks() - 1); to != b.Programs() {
		t.Errorf("the last block ends at %d of %d", to, b.Programs())
	}
	for i := 0; i < b.Programs(); i += 104729 {
		p, n := b.Program(i), 0
		b.EachNeighbour(i, func(x Neighbour) {
			n++
			q := b.Program(x.Program)
			if d := p.Changed(q); d != minijvm.SetOf(x.ID) {
				t.Fatalf("program %d, neighbour %d: %s changed", i, x.Program, b.Names.Text(d))
			}
			if !q.Class(x.ID).Equal(x.Class) {
				t.Fatalf("program %d, neighbour %d: not the class announced", i, x.Program)
			}
		})
		if n != b.Neighbours() {
			t.Errorf("program %d has %d neighbours", i, n)
		}
	}
}

// TestBoundContains looks for the situations that the bound must have.
func TestBoundContains(t *testing.T) {
	b := NewBound()
	found := map[string]bool{}
	var v minijvm.Verifier
	var st minijvm.State
	for i := range b.Programs() {
		if i%7 != 0 {
			continue
		}
		p := b.Program(i)
		if v.Check(p, minijvm.Missing) != nil {
			continue
		}
		for _, name := range situations(b, p, &st) {
			found[name] = true
		}
	}
	for _, name := range []string{"superclass that fails to initialize, and a static method below it", "static member two superclasses up", "missing member", "hidden field"} {
		if !found[name] {
			t.Errorf("no program has a %s", name)
		}
	}
}

func situations(b *Bound, p *minijvm.Program, st *minijvm.State) []string {
	var out []string
	c, super, top := b.ids[0], b.ids[1], b.ids[2]
	chain := p.Class(c).Super == super && p.Class(super).Super == top
	minijvm.StartState(p, st)
	if _, err := minijvm.Run(p, st, 0); err != nil {
		return nil
	}
	calls := p.Class(minijvm.Test).Method(minijvm.Main).Code[0].Op == minijvm.Invokestatic
	if m := p.Class(c).Method(b.m); calls && m != nil && m.Static && p.Class(c).Super != minijvm.Object && st.Flag(p.Class(c).Super) == minijvm.Error {
		out = append(out, "superclass that fails to initialize, and a static method below it")
	}
	if _, d := p.SeesMethod(c, b.m); calls && chain && d == top && st.Raised < 0 {
		out = append(out, "static member two superclasses up")
	}
	if x, _ := st.ClassOf(int(st.Raised)); x == minijvm.NoSuchFieldError || x == minijvm.NoSuchMethodError {
		out = append(out, "missing member")
	}
	if chain && p.Class(c).Field(b.f) != nil && p.Class(top).Field(b.f) != nil {
		out = append(out, "hidden field")
	}
	return out
}
