package semantics

import "fmt"

// A Violation says which law does not hold. What it was checked on is known to the caller.
type Violation struct{ Law, Detail string }

func (v *Violation) Error() string { return fmt.Sprintf("%s: %s", v.Law, v.Detail) }

// EndIsFinal checks that s has no next state if it is an end state.
func EndIsFinal[P, S any](sem Semantics[P, S], p P, s S) error {
	if n := len(sem.Small(p, s)); sem.End(s) && n > 0 {
		return &Violation{"an end state has no next state", fmt.Sprintf("it has %d", n)}
	}
	return nil
}

// Combining checks on three collections that Combine is associative and Identity neutral.
func Combining[P, S, C any](sem CollectionSemantics[P, S, C], same func(a, b C) bool, a, b, c C) error {
	switch {
	case !same(sem.Combine(sem.Combine(a, b), c), sem.Combine(a, sem.Combine(b, c))):
		return &Violation{"combining is associative", fmt.Sprintf("not for %v, %v, %v", a, b, c)}
	case !same(sem.Combine(sem.Identity(), a), a):
		return &Violation{"the identity is neutral on the left", fmt.Sprintf("not for %v", a)}
	case !same(sem.Combine(a, sem.Identity()), a):
		return &Violation{"the identity is neutral on the right", fmt.Sprintf("not for %v", a)}
	}
	return nil
}

// SameEnds checks that the collecting big step reaches the states of the plain one, in the same order (4.2).
func SameEnds[P, S, C any](sem CollectionSemantics[P, S, C], same func(a, b S) bool, p P, s S, limit int) error {
	const law = "the collecting big step reaches the states of the plain one"
	plain, err1 := Big[P, S](sem, p, s, limit)
	collecting, err2 := CBig(sem, p, s, limit)
	if (err1 == nil) != (err2 == nil) || len(plain) != len(collecting) {
		return &Violation{law, fmt.Sprintf("%d states (%v) and %d states (%v)", len(plain), err1, len(collecting), err2)}
	}
	for i := range plain {
		if !same(plain[i], collecting[i].State) {
			return &Violation{law, fmt.Sprintf("end state %d differs", i)}
		}
	}
	return nil
}

// Equivalence checks that Equivalent is reflexive, symmetric and transitive on some outputs.
func Equivalence[P, T, O any](r RTS[P, T, O], outputs []O) error {
	for i, a := range outputs {
		if !r.Equivalent(a, a) {
			return &Violation{"equivalence of outputs is reflexive", fmt.Sprintf("not for output %d", i)}
		}
		for j, b := range outputs {
			if r.Equivalent(a, b) != r.Equivalent(b, a) {
				return &Violation{"equivalence of outputs is symmetric", fmt.Sprintf("not for outputs %d and %d", i, j)}
			}
			for k, c := range outputs {
				if r.Equivalent(a, b) && r.Equivalent(b, c) && !r.Equivalent(a, c) {
					return &Violation{"equivalence of outputs is transitive", fmt.Sprintf("not for outputs %d, %d, %d", i, j, k)}
				}
			}
		}
	}
	return nil
}

// DeselectedAlike checks that two equivalent outputs are deselected alike.
func DeselectedAlike[P, T, O any](r RTS[P, T, O], p P, a, b O, q P) error {
	if r.Equivalent(a, b) && r.Deselect(p, a, q) != r.Deselect(p, b, q) {
		return &Violation{"equivalent outputs are deselected alike", "one is, the other is not"}
	}
	return nil
}

// ExistenceSafe checks that every output of t under p that is deselected for q has an equivalent one under q. It returns how many were deselected.
func ExistenceSafe[P, T, O any](r RTS[P, T, O], p P, t T, q P) (deselected int, err error) {
	before, err := r.Out(p, t)
	if err != nil {
		return 0, err
	}
	for i, o := range before {
		if !r.Deselect(p, o, q) {
			continue
		}
		deselected++
		if err := exists(r, o, t, q); err != nil {
			return deselected, fmt.Errorf("output %d: %w", i, err)
		}
	}
	return deselected, nil
}

func exists[P, T, O any](r RTS[P, T, O], o O, t T, q P) error {
	after, err := r.Out(q, t)
	if err != nil {
		return &Violation{"existence-safe", fmt.Sprintf("after the change there is no output: %v", err)}
	}
	for _, x := range after {
		if r.Equivalent(o, x) {
			return nil
		}
	}
	return &Violation{"existence-safe", "after the change no output is equivalent"}
}

// Transitive checks that an output that is deselected from each program of a history to the next has an equivalent one under the last (5.2). It returns how many
// outputs were deselected throughout. Deselection looks at the first output only: deselected tests do not run.
func Transitive[P, T, O any](r RTS[P, T, O], t T, history []P) (deselected int, err error) {
	if len(history) == 0 {
		return 0, nil
	}
	first, err := r.Out(history[0], t)
	if err != nil {
		return 0, err
	}
	for i, o := range first {
		if !throughout(r, o, history) {
			continue
		}
		deselected++
		if err := exists(r, o, t, history[len(history)-1]); err != nil {
			return deselected, fmt.Errorf("output %d: %w", i, err)
		}
	}
	return deselected, nil
}

func throughout[P, T, O any](r RTS[P, T, O], o O, history []P) bool {
	for i := 1; i < len(history); i++ {
		if !r.Deselect(history[i-1], o, history[i]) {
			return false
		}
	}
	return true
}
