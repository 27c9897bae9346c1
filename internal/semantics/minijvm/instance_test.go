package minijvm

import (
	"errors"
	"testing"

	"winnow/internal/semantics"
)

// TestInstance checks the laws of the general definitions on Figure 1, and that they notice a function that is not safe.
func TestInstance(t *testing.T) {
	x := example(t, "figure1.lab")
	test := x.Before.Class(Test)
	before, after := x.Before.Without(Test), x.After.Without(Test)
	for _, f := range Functions() {
		sem := Collecting{Collector: f}
		r := semantics.Based[*Program, *Class, *State, Set](sem, 100)
		outs, err := r.Out(before, test)
		if err != nil || len(outs) != 1 {
			t.Fatalf("%s: %d outputs, %v", f.Name(), len(outs), err)
		}
		err = errors.Join(
			semantics.EndIsFinal[*Program, *State](sem, x.Before, outs[0].State),
			semantics.Combining[*Program, *State, Set](sem, func(a, b Set) bool { return a == b }, 1, 6, 12),
			semantics.SameEnds[*Program, *State, Set](sem, (*State).Equal, x.Before, sem.Begin(x.Before), 100),
			semantics.Equivalence(r, outs),
			semantics.DeselectedAlike(r, before, outs[0], outs[0], after))
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
		deselected, err := semantics.ExistenceSafe(r, before, test, after)
		var v *semantics.Violation
		if unsafe := f.Name() == "published"; (deselected > 0) != unsafe || errors.As(err, &v) != unsafe {
			t.Errorf("%s: deselected %d times, %v", f.Name(), deselected, err)
		}
		if n, err := semantics.Transitive(r, test, []*Program{before, before.With(test), before}); n != 0 && f.Name() != "published" || err != nil {
			t.Errorf("%s: a history that changes Test: deselected %d times, %v", f.Name(), n, err)
		}
	}
}
