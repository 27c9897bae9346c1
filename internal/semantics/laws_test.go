package semantics

import (
	"errors"
	"slices"
	"testing"
)

// A counter is a tiny language: a program maps a number to the numbers that may follow; what is collected is the list of numbers left. The fields break one law each.
type counter struct {
	endless      bool // an end state has a next state
	lopsided     bool // Combine forgets its first argument
	forgets      bool // steps collect nothing
	unequal      bool // Same is not reflexive
	onlyTheFirst bool // Unchanged looks at one number only
}

type table map[int][]int

func (x counter) Small(p table, s int) []int {
	if s <= 0 && !x.endless {
		return nil
	}
	return p[s]
}
func (x counter) End(s int) bool { return s <= 0 }
func (x counter) Collect(_ table, s, _ int) []int {
	if x.forgets {
		return nil
	}
	return []int{s}
}
func (x counter) Combine(a, b []int) []int {
	if x.lopsided {
		return b
	}
	return slices.Concat(a, b)
}
func (x counter) Identity() []int                      { return nil }
func (x counter) MakeTestProgram(p table, _ int) table { return p }
func (x counter) Begin(table) int                      { return 3 }
func (x counter) CollectStart(table) []int             { return nil }
func (x counter) Same(a, b Collected[int, []int]) bool {
	return !x.unequal && a.State == b.State && slices.Equal(a.Collection, b.Collection)
}
func (x counter) Unchanged(p table, c []int, q table) bool {
	if x.onlyTheFirst && len(c) > 1 {
		c = c[:1]
	}
	return !slices.ContainsFunc(c, func(n int) bool { return !slices.Equal(p[n], q[n]) })
}

var (
	straight = table{3: {2}, 2: {1}, 1: {0}, 0: {0}}
	detour   = table{3: {2}, 2: {1, 0}, 1: {0}, 0: {0}}
	other    = table{3: {2}, 2: {1}, 1: {-1}}
	unused   = table{3: {2}, 2: {1}, 1: {0}, 0: {0}, 9: {8}}
)

// laws checks everything on one instance and returns the first violation.
func laws(x counter) error {
	eq := func(a, b []int) bool { return slices.Equal(a, b) }
	r := Based[table, int, int, []int](x, 10)
	outs := []Collected[int, []int]{{0, []int{3}}, {0, []int{3}}, {1, nil}}
	errs := []error{
		EndIsFinal[table, int](x, straight, 0),
		Combining[table, int, []int](x, eq, []int{1}, []int{2}, []int{3}),
		SameEnds[table, int, []int](x, func(a, b int) bool { return a == b }, detour, 3, 10),
		Equivalence(r, outs),
		DeselectedAlike(r, straight, outs[0], outs[1], detour),
	}
	for _, q := range []table{straight, detour, unused, other} {
		_, err := ExistenceSafe(r, straight, 0, q)
		errs = append(errs, err)
	}
	_, err := Transitive(r, 0, []table{straight, unused, detour})
	return errors.Join(append(errs, err)...)
}

func TestLaws(t *testing.T) {
	if err := laws(counter{}); err != nil {
		t.Error(err)
	}
	for name, x := range map[string]counter{
		"endless": {endless: true}, "lopsided": {lopsided: true}, "forgets": {forgets: true}, "unequal": {unequal: true}, "onlyTheFirst": {onlyTheFirst: true},
	} {
		var v *Violation
		if err := laws(x); !errors.As(err, &v) {
			t.Errorf("%s: no law is violated: %v", name, err)
		}
	}
}

func TestDeselection(t *testing.T) {
	r := Based[table, int, int, []int](counter{}, 10)
	for _, x := range []struct {
		name string
		q    table
		want int
	}{{"unused", unused, 1}, {"detour", detour, 0}} {
		if n, err := ExistenceSafe(r, straight, 0, x.q); n != x.want || err != nil {
			t.Errorf("%s: %d deselected, want %d; %v", x.name, n, x.want, err)
		}
	}
	if n, err := Transitive(r, 0, []table{straight, unused, straight}); n != 1 || err != nil {
		t.Errorf("a history without changes: %d deselected, %v", n, err)
	}
}

func TestUnfinished(t *testing.T) {
	loop := table{3: {3}}
	if _, err := Big[table, int](counter{}, loop, 3, 100); !errors.Is(err, ErrUnfinished) {
		t.Errorf("Big: %v", err)
	}
	if _, err := ExistenceSafe(Based[table, int, int, []int](counter{}, 100), loop, 0, straight); !errors.Is(err, ErrUnfinished) {
		t.Errorf("ExistenceSafe: %v", err)
	}
}
