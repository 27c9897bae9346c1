package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/segment"
)

// testDamageIsSeen checks that a store on a damaged backend answers as before or reports the damage, and nothing else (S4.1).
func (o Opener) testDamageIsSeen(t *testing.T) {
	check(t, func(h History, r *rand.Rand) error {
		b := o(t)
		s := store.New(b)
		if err := appendAll(s, h); err != nil {
			return errors.Join(err, s.Close())
		}
		snap := newSnapshot(r)
		for range 10 {
			f := RandomFault(r, len(h))
			err := expect(store.New(Faulty{b, []Fault{f}}), h, snap)
			if err != nil && !errors.Is(err, store.ErrCorrupt) {
				return errors.Join(fmt.Errorf("%+v: %w", f, err), s.Close())
			}
		}
		return errors.Join(expect(s, h, snap), s.Close())
	})
}

// testRescue rescues damaged stores into new ones (S4.2).
func (o Opener) testRescue(t *testing.T) {
	check(t, func(h History, r *rand.Rand) error {
		from, to := o(t), o(t)
		err := rescue(from, to, h, r)
		return errors.Join(err, from.Close(), to.Close())
	})
}

func rescue(from, to store.Backend, h History, r *rand.Rand) (err error) {
	if err := appendAll(store.New(from), h); err != nil {
		return err
	}
	v, err := from.View(context.Background())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	ids, err := v.Segments()
	if err != nil {
		return err
	}
	faults := make([]Fault, r.IntN(4))
	for i := range faults {
		faults[i] = RandomFault(r, len(ids))
	}
	report, err := store.New(to).Rescue(context.Background(), Damage(v, faults...))
	if err != nil {
		return err
	}
	after, err := statements(store.New(to))
	if err != nil {
		return err
	}
	for _, p := range NewProofs(h.Statements(), after) {
		return fmt.Errorf("%+v: new proof %s", faults, p)
	}
	return judgeRescue(v, faults, report, after)
}

// judgeRescue checks that what the damage cannot have touched is still there.
func judgeRescue(v store.BackendView, faults []Fault, report store.Salvage, after []Statement) error {
	lost, suspectsWhole, err := damages(v, faults)
	if err != nil {
		return err
	}
	if report.Nothing && len(after) > 0 {
		return fmt.Errorf("%+v: %d records are left of nothing", faults, len(after))
	}
	if !suspectsWhole {
		return nil
	}
	if report.Nothing || report.Lost > len(lost) {
		return fmt.Errorf("%+v: too much is lost: %+v", faults, report)
	}
	doubtful, err := suspectsIn(v, lost)
	if err != nil {
		return err
	}
	want, err := undamaged(v, lost, doubtful)
	if err != nil {
		return err
	}
	for _, s := range want {
		if !contains(after, s) {
			return fmt.Errorf("%+v: lost although nothing touched it: %s", faults, s)
		}
	}
	return nil
}

// undamaged returns the groups of the tests that are in no doubt, from the segments that are not damaged.
func undamaged(v store.BackendView, lost map[digest.Digest]bool, doubtful map[string]bool) ([]Statement, error) {
	whole := store.New(viewBackend{view: v})
	var want []Statement
	err := read(whole, func(sv *store.View) error {
		all, err := Statements(sv)
		if err != nil {
			return err
		}
		touched, err := recordsOf(v, lost)
		if err != nil {
			return err
		}
		var rest []Statement
		for _, s := range all {
			if !doubtful[string(s.Test)] && !touched[origin{s.Test, s.When.Unix()}] {
				rest = append(rest, s)
			}
		}
		want = newestGroups(rest, len(rest), func(rts.TestID) bool { return true })
		return nil
	})
	return want, err
}

// An origin names a record: a history has no two records of one test at one time.
type origin struct {
	test rts.TestID
	when int64
}

func recordsOf(v store.BackendView, segs map[digest.Digest]bool) (map[origin]bool, error) {
	all := map[origin]bool{}
	for id := range segs {
		raw, err := v.Index(id)
		if err != nil {
			return nil, err
		}
		x, err := segment.Decode(raw)
		if err != nil {
			return nil, err
		}
		for _, r := range x.Records {
			all[origin{r.Test, x.Metas[r.Meta].When.Unix()}] = true
		}
	}
	return all, nil
}

// A viewBackend is a backend of which nothing but one view is used, which its owner closes.
type viewBackend struct {
	store.Backend
	view store.BackendView
}

func (b viewBackend) View(context.Context) (store.BackendView, error) { return openedView{b.view}, nil }

type openedView struct{ store.BackendView }

func (openedView) Close() error { return nil }
