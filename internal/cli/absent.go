package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/project"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/store"
)

// Tests that are left out leave nothing behind in the JVM of those that run, and find nothing there. Records have notes about the state that tests read and
// change. From these a test that runs learns what it would have found of those left out (S8.11), and those left out are run after all if a test begins to change
// what they read (S8.12).

// An absence knows the tests of a module that are left out.
type absence struct {
	ctx   context.Context
	store *store.Store
	left  map[rts.TestID]bool
}

func (h *mavenRun) absence(m *mavenModule) *absence {
	return &absence{h.ctx, h.w.store, m.leftOut()}
}

// Puts lists what tests put into state that are left out.
func (a *absence) Puts() (map[rts.Entity][]rts.TestID, error) {
	out := map[rts.Entity][]rts.TestID{}
	if len(a.left) == 0 {
		return out, nil
	}
	err := withView(a.ctx, a.store, func(v *store.View) (err error) {
		users := v.Users()
		v.Entities(func(e rts.Entity) {
			if e.Kind != project.StatePut || out[e] != nil || err != nil {
				return
			}
			tests := map[rts.TestID]bool{}
			err = havers(v, users, e, func(id rts.TestID) { tests[id] = a.left[id] })
			maps.DeleteFunc(tests, func(_ rts.TestID, left bool) bool { return !left })
			if len(tests) > 0 {
				out[e] = slices.Sorted(maps.Keys(tests))
			}
		})
		return err
	})
	return out, err
}

// havers calls f for every test with a record that has an entity.
func havers(v *store.View, users func(store.FootprintRef, func(rts.TestID)), e rts.Entity, f func(rts.TestID)) (err error) {
	v.Inputs(e, func(ref store.InputRef, _ digest.Digest) {
		owners, failed := v.Owners(ref)
		err = errors.Join(err, failed)
		for _, o := range owners {
			users(o, f)
		}
	})
	return err
}

// Uses are those of the newest record of a test that passed.
func (a *absence) Uses(id rts.TestID, f func(rts.Use, []byte)) error {
	return withView(a.ctx, a.store, func(v *store.View) error {
		var newest *store.Stored
		v.Records(func(r store.Stored) {
			if r.Test == id && r.Outcome.Proves() && (newest == nil || r.Meta.When.After(newest.Meta.When)) {
				newest = &r
			}
		})
		if newest == nil {
			return fmt.Errorf("the store has no record of %s any more", id)
		}
		uses, err := v.AllUses(newest.Ref)
		for _, u := range uses {
			var body []byte
			if u.Entries != nil && err == nil {
				body, _, err = v.Body(u.Digest)
			}
			f(u, body)
		}
		return err
	})
}

// begun finds the tests of a module that read what a test began to change in this run. What was recorded of them before is forgotten: it is of a time when nobody changed that. Those that were
// left out have to run (S8.12); they are returned, each with what began. Until they have run they are as good as new.
func (h *mavenRun) begun(ctx context.Context, m *mavenModule) (map[rts.TestID]string, error) {
	if m.rep == nil || !m.request.ReusesForks() || h.flags.isolate || !h.rules.Hold(safety.BegunCounts) {
		return nil, nil
	}
	puts := m.Puts()
	if len(puts) == 0 {
		return nil, nil
	}
	readers := map[rts.TestID]string{}
	err := withView(ctx, h.w.store, func(v *store.View) error { return h.readers(v, m, puts, readers) })
	if err != nil || len(readers) == 0 {
		return nil, err
	}
	err = h.w.store.Drop(ctx, func(r store.Stored) bool { return readers[r.Test] != "" && !r.Meta.When.Equal(h.meta.When) })
	left := m.leftOut()
	maps.DeleteFunc(readers, func(id rts.TestID, _ string) bool { return !left[id] })
	return readers, err
}

// readers finds the tests that read what no record from before this run says to be changed, each with what that is.
func (h *mavenRun) readers(v *store.View, m *mavenModule, puts map[rts.Entity]rts.TestID, out map[rts.TestID]string) error {
	fresh, err := h.unheardOf(v, m, puts)
	if err != nil {
		return err
	}
	users := v.Users()
	for _, put := range fresh {
		meeting, err := m.Meet(put)
		if err != nil {
			return err
		}
		excused, err := excusedFrom(v, users, &meeting)
		if err != nil {
			return err
		}
		begins := func(id rts.TestID) {
			if id != puts[put] && !excused[id] && out[id] == "" {
				out[id] = fmt.Sprintf("%s begins to change %s", puts[put], meeting.Field)
			}
		}
		for _, e := range meeting.Reads {
			err = errors.Join(err, havers(v, users, e, begins))
		}
		if meeting.All {
			v.Records(func(r store.Stored) {
				if m.Owns(r.Test) {
					begins(r.Test)
				}
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unheardOf lists the notes that no record from before this run has; none if there is no such record.
func (h *mavenRun) unheardOf(v *store.View, m *mavenModule, puts map[rts.Entity]rts.TestID) ([]rts.Entity, error) {
	var before []store.FootprintRef
	v.Records(func(r store.Stored) {
		if !r.Meta.When.Equal(h.meta.When) && m.Owns(r.Test) {
			before = append(before, r.Ref)
		}
	})
	if len(before) == 0 {
		return nil, nil
	}
	owned := map[store.FootprintRef][]rts.Entity{}
	var failed error
	for put := range puts {
		v.Inputs(put, func(ref store.InputRef, _ digest.Digest) {
			owners, err := v.Owners(ref)
			failed = errors.Join(failed, err)
			for _, f := range owners {
				owned[f] = append(owned[f], put)
			}
		})
	}
	fresh := maps.Clone(puts)
	for _, ref := range before {
		v.Closure(ref, func(f store.FootprintRef) {
			for _, put := range owned[f] {
				delete(fresh, put)
			}
		})
	}
	return slices.SortedFunc(maps.Keys(fresh), rts.Entity.Compare), failed
}

// excusedFrom lists the tests that are not concerned by a change although they may read the field: the method would have done the same for them.
func excusedFrom(v *store.View, users func(store.FootprintRef, func(rts.TestID)), m *project.Meeting) (map[rts.TestID]bool, error) {
	if m.Again && len(m.Callers) == 0 {
		return nil, nil
	}
	all := []project.Method{m.Method}
	if m.Again {
		all = append(all, m.Callers...)
	}
	var excused map[rts.TestID]bool
	for i := range all {
		has := map[rts.TestID]bool{}
		with, err := footprintsWith(v, &all[i])
		if err != nil {
			return nil, err
		}
		for _, f := range with {
			users(f, func(id rts.TestID) { has[id] = excused == nil || excused[id] })
		}
		excused = has
	}
	return excused, nil
}

// footprintsWith lists the footprints that have a method.
func footprintsWith(v *store.View, of *project.Method) (out []store.FootprintRef, err error) {
	v.Inputs(of.Class, func(ref store.InputRef, d digest.Digest) {
		body, _, lost := v.Body(d)
		entry, ok := of.Entry(body)
		if err = errors.Join(err, lost); !ok {
			return
		}
		owners, failed := v.Owners(ref)
		err = errors.Join(err, failed)
		for _, f := range owners {
			uses, failed := v.Uses(f)
			err = errors.Join(err, failed)
			if slices.ContainsFunc(uses, func(u rts.Use) bool {
				_, covered := slices.BinarySearch(u.Entries, entry)
				return u.Entity == of.Class && u.Digest == d && (covered || u.Entries == nil)
			}) {
				out = append(out, f)
			}
		}
	})
	return out, err
}

// whatBegan is the first thing that began.
func (m *mavenModule) whatBegan() string {
	return m.begun[slices.Min(slices.Collect(maps.Keys(m.begun)))]
}

// again says which tests of a module run once more with others, and why: those that ran for the reasons that they had.
func (m *mavenModule) again(others map[rts.TestID]string) map[rts.TestID][]rts.Reason {
	out := map[rts.TestID][]rts.Reason{}
	for i := range m.rep.Results {
		out[m.rep.Results[i].Record.Test] = []rts.Reason{{Code: rts.NoRecord}}
	}
	for i := range m.sel.Decisions {
		if d := &m.sel.Decisions[i]; d.Selected() {
			out[d.Test.ID] = d.Reasons
		}
	}
	for id, why := range others {
		out[id] = []rts.Reason{{Code: rts.StateBegun, Detail: why}}
	}
	return out
}

// join selects tests that run once more.
func (m *mavenModule) join(again map[rts.TestID][]rts.Reason) {
	n := 0
	for i := range m.sel.Decisions {
		d := &m.sel.Decisions[i]
		if reasons, ok := again[d.Test.ID]; ok && d.Obsolete == "" {
			if !d.Selected() {
				n++
			}
			d.Reasons, d.Proof = reasons, nil
		}
	}
	for i := range m.sel.Modules {
		m.sel.Modules[i].Selected += n // an execution is one module
	}
}

// explain says of tests that were forgotten why they ran.
func (m *mavenModule) explain(again map[rts.TestID][]rts.Reason) {
	for i := range m.sel.Decisions {
		d := &m.sel.Decisions[i]
		if reasons, ok := again[d.Test.ID]; ok && d.Selected() {
			d.Reasons = reasons
		}
	}
}
