package rts

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
)

var (
	cases = flag.Int("rts.cases", 2000, "number of random lists of uses")
	first = flag.Uint64("rts.seed", 1, "seed of the first list")
)

func TestEntityOrder(t *testing.T) {
	sorted := []Entity{{"", "b"}, {"cell", ""}, {"cell", "A1"}, {"cell", "A10"}, {"cell", "B1"}, {"cells", "A1"}, {"file", "A1"}}
	for i, e := range sorted {
		for j, f := range sorted {
			if got, want := sign(e.Compare(f)), sign(i-j); got != want {
				t.Errorf("%q.Compare(%q) = %d, want %d", e, f, got, want)
			}
		}
	}
}

func TestUseOrder(t *testing.T) {
	a, b := Entity{"cell", "A1"}, Entity{"cell", "B1"}
	low, high := digest.Digest{0: 3}, digest.Digest{0: 0xf0}
	sorted := []Use{{a, digest.Unknown, nil}, {a, low, nil}, {a, high, nil}, {b, low, nil}, {b, high, []uint32{1}}}
	for i, u := range sorted {
		for j, v := range sorted {
			if got, want := sign(u.Compare(v)), sign(i-j); got != want {
				t.Errorf("use %d compared with use %d is %d, want %d", i, j, got, want)
			}
		}
	}
	if c := (Use{a, low, []uint32{1}}).Compare(Use{a, low, nil}); c != 0 {
		t.Errorf("entries count in the order: %d", c)
	}
}

func sign(n int) int { return max(-1, min(1, n)) }

func TestParseEntityRefuses(t *testing.T) {
	for _, s := range []string{"", " ", "cell", "cell ", " A1"} {
		if e, err := ParseEntity(s); err == nil || e != (Entity{}) || !strings.Contains(err.Error(), fmt.Sprintf("%q", s)) {
			t.Errorf("ParseEntity(%q) = %v, %v", s, e, err)
		}
	}
}

func FuzzParseEntity(f *testing.F) {
	for _, s := range []string{"", "cell", "cell Budget!B4", "file  two blanks", "x \xff", " A1", "query [b.xlsx]total → S!B4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := ParseEntity(s)
		if err != nil {
			if e != (Entity{}) {
				t.Fatalf("ParseEntity(%q) = %v with an error", s, e)
			}
			return
		}
		if e.String() != s {
			t.Fatalf("ParseEntity(%q) prints as %q", s, e)
		}
		if strings.Contains(string(e.Kind), " ") || e.Kind == "" || e.Name == "" {
			t.Fatalf("ParseEntity(%q) = %#v", s, e)
		}
	})
}

func TestSortUsesWiderUseWins(t *testing.T) {
	a, b := Entity{"cell", "A1"}, Entity{"cell", "B1"}
	d, e := digest.OfString("d"), digest.OfString("e")
	if e.String() < d.String() {
		d, e = e, d
	}
	for _, c := range []struct {
		name     string
		in, want []Use
	}{
		{"nothing", nil, nil},
		{"order", []Use{{b, d, nil}, {a, e, nil}, {a, d, nil}}, []Use{{a, d, nil}, {a, e, nil}, {b, d, nil}}},
		{"whole before part", []Use{{a, d, nil}, {a, d, []uint32{1}}}, []Use{{a, d, nil}}},
		{"part before whole", []Use{{a, d, []uint32{1}}, {a, d, nil}}, []Use{{a, d, nil}}},
		{"part, whole, part", []Use{{a, d, []uint32{1}}, {a, d, nil}, {a, d, []uint32{2}}}, []Use{{a, d, nil}}},
		{"both parts", []Use{{a, d, []uint32{2, 5}}, {a, d, []uint32{1, 5}}}, []Use{{a, d, []uint32{1, 2, 5}}}},
		{"no entry is not the whole", []Use{{a, d, []uint32{}}, {a, d, []uint32{3}}}, []Use{{a, d, []uint32{3}}}},
		{"other digests stay apart", []Use{{a, e, []uint32{1}}, {a, d, []uint32{2}}}, []Use{{a, d, []uint32{2}}, {a, e, []uint32{1}}}},
	} {
		if got := SortUses(c.in); !equalUses(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, show(got), show(c.want))
		}
	}
}

func TestSortUsesReturnsSortedArgument(t *testing.T) {
	in := []Use{{Entity: Entity{"cell", "A1"}}, {Entity: Entity{"cell", "B1"}}}
	if out := SortUses(in); &out[0] != &in[0] {
		t.Error("a sorted list was copied")
	}
}

// TestSortUsesRandom compares SortUses with a table of the widest use of each entity and digest.
func TestSortUsesRandom(t *testing.T) {
	for seed := *first; seed < *first+uint64(*cases); seed++ {
		in := randomUses(rand.New(rand.NewPCG(seed, 1)))
		if fault := faultOf(in); fault != "" {
			for small := true; small; {
				in, small = shrinkUses(in)
			}
			t.Fatalf("seed %d (repeat with -rts.seed=%d -rts.cases=1): %s\nsmallest list: %s: %s", seed, seed, fault, show(in), faultOf(in))
		}
	}
}

func shrinkUses(in []Use) ([]Use, bool) {
	for i := range in {
		if less := slices.Delete(slices.Clone(in), i, i+1); faultOf(less) != "" {
			return less, true
		}
	}
	return in, false
}

func randomUses(r *rand.Rand) []Use {
	uses := make([]Use, r.IntN(8))
	for i := range uses {
		uses[i] = Use{Entity: Entity{"cell", fmt.Sprint(r.IntN(3))}, Digest: digest.Digest{0: byte(r.IntN(3))}}
		if r.IntN(3) > 0 {
			for e := range uint32(4) {
				if e == 3 && uses[i].Entries == nil || r.IntN(2) == 0 {
					uses[i].Entries = append(uses[i].Entries, e)
				}
			}
		}
	}
	return uses
}

// faultOf says what is wrong with SortUses of a list, "" if nothing is.
func faultOf(in []Use) string {
	before := show(in)
	out := SortUses(in)
	if after := show(in); after != before {
		return "the argument became " + after
	}
	type key struct {
		e Entity
		d digest.Digest
	}
	whole, entries := map[key]bool{}, map[key]map[uint32]bool{}
	for _, u := range in {
		k := key{u.Entity, u.Digest}
		if entries[k] == nil {
			entries[k] = map[uint32]bool{}
		}
		whole[k] = whole[k] || u.Entries == nil
		for _, e := range u.Entries {
			entries[k][e] = true
		}
	}
	if len(out) != len(entries) {
		return fmt.Sprintf("%d uses, want %d", len(out), len(entries))
	}
	for i, u := range out {
		k := key{u.Entity, u.Digest}
		switch {
		case i > 0 && out[i-1].Compare(u) >= 0:
			return "not sorted: " + show(out)
		case whole[k] != (u.Entries == nil):
			return "whole and part are confused: " + show(out)
		case !whole[k] && (len(u.Entries) != len(entries[k]) || !slices.IsSorted(u.Entries)):
			return "wrong entries: " + show(out)
		}
		for _, e := range u.Entries {
			if !entries[k][e] {
				return "an entry from nowhere: " + show(out)
			}
		}
	}
	return ""
}

func show(uses []Use) string {
	var b strings.Builder
	for _, u := range uses {
		fmt.Fprintf(&b, "[%s %x %v whole=%v]", u.Entity, u.Digest[0], u.Entries, u.Entries == nil)
	}
	return b.String()
}

func equalUses(a, b []Use) bool {
	return slices.EqualFunc(a, b, func(u, v Use) bool {
		return u.Compare(v) == 0 && slices.Equal(u.Entries, v.Entries) && (u.Entries == nil) == (v.Entries == nil)
	})
}
