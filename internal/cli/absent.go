package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

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
	run    *mavenRun
	module *mavenModule
	left   map[rts.TestID]bool
}

func (h *mavenRun) absence(m *mavenModule) *absence { return &absence{h, m, m.leftOut()} }

// kept is the context in which a run looks at the store for tests that have ended: they are recorded after an interrupt, too.
func (h *mavenRun) kept() context.Context { return context.WithoutCancel(h.ctx) }

// Puts lists what tests put into state that are left out.
func (a *absence) Puts() (map[rts.Entity][]rts.TestID, error) {
	out := map[rts.Entity][]rts.TestID{}
	if len(a.left) == 0 {
		return out, nil
	}
	err := withView(a.run.kept(), a.run.w.store, func(v *store.View) (err error) {
		out, err = a.puts(v, a.run.belongings(v, a.module))
		return err
	})
	return out, err
}

// puts leaves out what comes in every process, and what left a field as it was, unless a test that runs changed the field before and may do so no more: then it is open what others do there.
func (a *absence) puts(v *store.View, all *belongings) (out map[rts.Entity][]rts.TestID, err error) {
	out = map[rts.Entity][]rts.TestID{}
	left, changed := map[rts.Entity]string{}, map[string]bool{}
	v.Entities(func(e rts.Entity) {
		if e.Kind != project.StatePut || out[e] != nil || err != nil {
			return
		}
		meeting, wrong := a.module.Meeting(e)
		if meeting.First {
			return
		}
		var tests testSet
		of, failed := all.with(e)
		err = errors.Join(wrong, failed)
		of.tests.each(func(n int) {
			if a.left[all.tests[n]] {
				tests = tests.add(n)
			} else if of.old.has(n) && !meeting.Left {
				changed[meeting.Field] = true
			}
		})
		if len(tests) > 0 {
			out[e] = all.ids(tests)
			if meeting.Left {
				left[e] = meeting.Field
			}
		}
	})
	maps.DeleteFunc(out, func(e rts.Entity, _ []rts.TestID) bool { field, is := left[e]; return is && !changed[field] })
	return out, err
}

// Reader reads the newest records of tests that passed.
func (a *absence) Reader(add func(rts.Footprint, map[digest.Digest][]byte) int) func([]rts.TestID) ([]int, error) {
	r := &pastReader{add: add, tests: map[rts.TestID]int{}, numbers: map[store.FootprintName]int{}, bodies: map[digest.Digest][]byte{}}
	return func(ids []rts.TestID) ([]int, error) {
		unread := map[rts.TestID]bool{}
		for _, id := range ids {
			if _, known := r.tests[id]; !known {
				unread[id] = true
			}
		}
		if len(unread) > 0 {
			if err := withView(a.run.kept(), a.run.w.store, func(v *store.View) error { return r.read(v, unread) }); err != nil {
				return nil, err
			}
		}
		out := make([]int, len(ids))
		for i, id := range ids {
			out[i] = r.tests[id]
		}
		slices.Sort(out)
		return slices.Compact(out), nil
	}
}

// A pastReader makes footprints of the store known to somebody, each once. It outlives views: results are stored meanwhile, of other tests.
type pastReader struct {
	add     func(rts.Footprint, map[digest.Digest][]byte) int
	tests   map[rts.TestID]int // the numbers of their records' footprints
	numbers map[store.FootprintName]int
	bodies  map[digest.Digest][]byte
}

// read reads the newest records of some tests.
func (r *pastReader) read(v *store.View, tests map[rts.TestID]bool) error {
	newest := map[rts.TestID]store.Stored{}
	v.Records(func(of store.Stored) {
		if last, ok := newest[of.Test]; tests[of.Test] && of.Outcome.Proves() && (!ok || of.Meta.When.After(last.Meta.When)) {
			newest[of.Test] = of
		}
	})
	for _, id := range slices.Sorted(maps.Keys(tests)) {
		of, ok := newest[id]
		if !ok {
			return fmt.Errorf("the store has no record of %s any more", id)
		}
		n, err := r.number(v, of.Ref)
		if err != nil {
			return err
		}
		r.tests[id] = n
	}
	return nil
}

func (r *pastReader) number(v *store.View, ref store.FootprintRef) (int, error) {
	name := v.Name(ref)
	if n, known := r.numbers[name]; known {
		return n, nil
	}
	label, includes := v.Includes(ref)
	f := rts.Footprint{Label: label}
	for _, g := range includes {
		n, err := r.number(v, g)
		if err != nil {
			return 0, err
		}
		f.Includes = append(f.Includes, n)
	}
	slices.Sort(f.Includes)
	f.Includes = slices.Compact(f.Includes)
	var err error
	if f.Uses, err = v.Uses(ref); err != nil {
		return 0, err
	}
	for _, u := range f.Uses {
		if _, known := r.bodies[u.Digest]; !known && u.Entries != nil {
			if r.bodies[u.Digest], _, err = v.Body(u.Digest); err != nil {
				return 0, err
			}
		}
	}
	n := r.add(f, r.bodies)
	r.numbers[name] = n
	return n, nil
}

// begun finds the tests of a module that read what a test began to change in this run. What was recorded of them before is forgotten: it is of a time when nobody changed that. Those that were
// left out have to run (S8.12); they are returned, each with what began. Until they have run they are as good as new. So are tests before which something no longer changes: where it does again, that begins.
func (h *mavenRun) begun(ctx context.Context, m *mavenModule) (map[rts.TestID]string, error) {
	if h.shadow != nil && (h.shadow.selected || h.shadow.aside) {
		return nil, nil // what ran is not recorded as a whole
	}
	if m.rep == nil || !h.rules.Hold(safety.BegunCounts) {
		return nil, nil
	}
	if !m.Started() {
		return nil, nil
	}
	readers := map[rts.TestID]string{}
	err := withView(ctx, h.w.store, func(v *store.View) error { return h.readers(v, m, readers) })
	if err != nil || len(readers) == 0 {
		return nil, err
	}
	err = h.w.store.Drop(ctx, func(r store.Stored) bool { return readers[r.Test] != "" && !r.Meta.When.Equal(h.meta.When) })
	left := m.leftOut()
	maps.DeleteFunc(readers, func(id rts.TestID, _ string) bool { return !left[id] })
	return readers, err
}

// back selects with every test for which no earlier pass speaks those that change what it reads: without them it may pass though it fails in plain Maven (S8.13). What a new test reads is not known, and is taken to be
// what most other tests of its class read. Who comes to read something else is found after it ran; see unbacked.
func (h *mavenRun) back(ctx context.Context, m *mavenModule) error {
	if h.shadow != nil || !h.rules.Hold(safety.PassNeedsBacking) {
		return nil
	}
	due, err := h.due(ctx, m)
	if err != nil || len(due) == 0 || len(m.leftOut()) == 0 {
		return err
	}
	with := map[rts.TestID][]rts.Reason{}
	err = withView(ctx, h.w.store, func(v *store.View) error {
		all := h.belongings(v, m)
		puts, err := h.absence(m).puts(v, all)
		if err != nil {
			return err
		}
		has, in := havers(all), slices.Sorted(maps.Keys(due))
		for _, put := range slices.SortedFunc(maps.Keys(puts), rts.Entity.Compare) {
			meeting, err := m.Meeting(put)
			for _, who := range in {
				n := 0
				for _, id := range due[who] {
					concerns, failed := concerned(has, id, meeting)
					if err = errors.Join(err, failed); err != nil {
						return err
					}
					if concerns {
						n++
					}
				}
				if 2*n <= len(due[who]) {
					continue
				}
				for _, other := range puts[put] {
					if with[other] == nil && slices.ContainsFunc(due[who], func(id rts.TestID) bool { return m.Meet(put, other, id) }) {
						with[other] = []rts.Reason{{Code: rts.Accompanies, Detail: fmt.Sprintf("it changes %s, which a test reads that no earlier pass speaks for: %s", meeting.Field, who)}}
					}
				}
				if m.SharesJVM() {
					break
				}
			}
		}
		return nil
	})
	m.join(with)
	return err
}

// due names the tests for which no earlier pass speaks, as far as it is known beforehand, each with those that say what it reads: one that was edited itself or failed last, with other inputs, and new
// ones of a class with the others of it. One that failed may fail again only because others are left out, unless these were the inputs: then it was found out with the others that it fails.
func (h *mavenRun) due(ctx context.Context, m *mavenModule) (map[string][]rts.TestID, error) {
	out, others, methods := map[string][]rts.TestID{}, map[string][]rts.TestID{}, map[string]map[string]bool{}
	selected := map[rts.TestID]bool{}
	for i := range m.sel.Decisions {
		d := &m.sel.Decisions[i]
		if m.edited(d) {
			out[string(d.Test.ID)] = []rts.TestID{d.Test.ID}
		}
		if d.Selected() && d.Obsolete == "" {
			selected[d.Test.ID] = true
		}
		if class, method := m.MethodOf(d.Test.ID); class != "" && !slices.ContainsFunc(d.Reasons, isNew) {
			if methods[class] == nil {
				methods[class] = map[string]bool{}
			}
			methods[class][method], others[class] = true, append(others[class], d.Test.ID)
		}
	}
	maps.DeleteFunc(methods, func(class string, known map[string]bool) bool { return !m.Untried(class, known) })
	if len(methods) == 0 && len(selected) == 0 {
		return out, nil
	}
	err := withView(ctx, h.w.store, func(v *store.View) error {
		before := m.failedBefore()
		for id, last := range h.last(v, func(id rts.TestID) bool { return selected[id] }) {
			if !last.Outcome.Proves() && last.Outcome != rts.OutcomeNone && !(slices.Contains(before, id) && fails(last)) {
				out[string(id)] = []rts.TestID{id}
			}
		}
		maps.DeleteFunc(methods, func(class string, _ map[string]bool) bool { return m.recorded(v, class) }) // it looks like a test and never was one
		return nil
	})
	for class := range methods {
		out["a new one of "+strings.ReplaceAll(class, "/", ".")] = others[class]
	}
	return out, err
}

// recorded tells whether there are records of a class as it is.
func (m *mavenModule) recorded(v *store.View, class string) bool {
	e, found := rts.Entity{Kind: project.Class, Name: m.ClassUse(class)}, false
	now := m.Digest(e)
	v.Inputs(e, func(_ store.InputRef, d digest.Digest) { found = found || d == now })
	return found
}

// havers returns a function that tells whether a test has one of some entities.
func havers(all *belongings) func(rts.TestID, []rts.Entity) (bool, error) {
	known := map[rts.Entity]testSet{}
	return func(id rts.TestID, among []rts.Entity) (bool, error) {
		n, recorded := all.numbers[id]
		for _, e := range among {
			has, asked := known[e]
			if !asked {
				of, err := all.with(e)
				if err != nil {
					return false, err
				}
				has, known[e] = of.tests, of.tests
			}
			if recorded && has.has(n) {
				return true, nil
			}
		}
		return false, nil
	}
}

// concerned tells whether a test finds what a meeting is about.
func concerned(has func(rts.TestID, []rts.Entity) (bool, error), id rts.TestID, m project.Meeting) (bool, error) {
	reads, missing := has(id, m.Reads)
	sees, failed := has(id, m.Within)
	return reads && (sees || len(m.Within) == 0), errors.Join(missing, failed)
}

// unbacked finds the tests of a module that passed, or were skipped, without others which change what they read, and for which no earlier pass speaks: they are new, were edited themselves, did not pass when they ran last, or did not
// read that before. Run with the others they may fail, so this pass or skip is forgotten (S8.13), and they run again together. It returns the others, each with the first such test and what it reads.
func (h *mavenRun) unbacked(ctx context.Context, m *mavenModule) (map[rts.TestID]string, error) {
	if m.rep == nil || !h.rules.Hold(safety.PassNeedsBacking) {
		return nil, nil
	}
	lacks, outcome := maps.Clone(m.Lacks()), map[rts.TestID]rts.Outcome{}
	for i := range m.rep.Results {
		outcome[m.rep.Results[i].Record.Test] = m.rep.Results[i].Record.Outcome
	}
	maps.DeleteFunc(lacks, func(id rts.TestID, _ []project.Lack) bool { return !outcome[id].Proves() })
	if len(lacks) == 0 {
		return nil, nil
	}
	edited := map[rts.TestID]bool{}
	for i := range m.sel.Decisions {
		d := &m.sel.Decisions[i]
		edited[d.Test.ID] = m.edited(d)
	}
	others, forgotten := map[rts.TestID]string{}, map[rts.TestID]bool{}
	err := withView(ctx, h.w.store, func(v *store.View) error {
		last, had := h.last(v, func(id rts.TestID) bool { return lacks[id] != nil }), h.hadBefore(v, m)
		for _, id := range slices.Sorted(maps.Keys(lacks)) {
			trusted := last[id].Outcome == outcome[id] && !last[id].Incomplete && !edited[id]
			for _, lack := range lacks[id] {
				meeting, err := m.Meeting(lack.Put)
				read := false
				for _, e := range meeting.Reads {
					tests, failed := had(e)
					read, err = read || tests[id], errors.Join(err, failed)
				}
				if err != nil {
					return err
				}
				if meeting.All || trusted && read {
					continue // whether a test reads a default is not known: all would
				}
				forgotten[id] = true
				for _, other := range lack.Tests {
					if others[other] == "" {
						others[other] = fmt.Sprintf("%s passed without tests that change %s, and may fail with them", id, meeting.Field)
					}
				}
			}
		}
		return nil
	})
	if err != nil || len(forgotten) == 0 {
		return nil, err
	}
	return others, h.w.store.Drop(ctx, func(r store.Stored) bool { return forgotten[r.Test] && r.Meta.When.Equal(h.meta.When) })
}

// hadBefore returns a function that finds the tests of a module that had an entity before this run, also in something that another test left behind.
func (h *mavenRun) hadBefore(v *store.View, m *mavenModule) func(rts.Entity) (map[rts.TestID]bool, error) {
	users := v.UsersAmong(func(r store.Stored) bool { return m.Owns(r.Test) && !r.Meta.When.Equal(h.meta.When) })
	known := map[rts.Entity]map[rts.TestID]bool{}
	return func(e rts.Entity) (map[rts.TestID]bool, error) {
		if tests := known[e]; tests != nil {
			return tests, nil
		}
		tests := map[rts.TestID]bool{}
		known[e] = tests
		return tests, users(e, func(id rts.TestID) { tests[id] = true })
	}
}

// failedBefore lists the tests that did not pass with the inputs that they have now.
func (m *mavenModule) failedBefore() []rts.TestID {
	var out []rts.TestID
	for i := range m.sel.Decisions {
		if d := &m.sel.Decisions[i]; slices.ContainsFunc(d.Reasons, func(r rts.Reason) bool { return r.Code == rts.FailedLast }) {
			out = append(out, d.Test.ID)
		}
	}
	return out
}

// fails tells whether a test came to its end and failed. If one that did so with its inputs passes now, it needs others for that all the same; see unbacked.
func fails(r store.Stored) bool { return r.Outcome == rts.Failed || r.Outcome == rts.Errored }

// last returns the newest records of tests from before this run.
func (h *mavenRun) last(v *store.View, among func(rts.TestID) bool) map[rts.TestID]store.Stored {
	out := map[rts.TestID]store.Stored{}
	v.Records(func(r store.Stored) {
		if old, ok := out[r.Test]; among(r.Test) && !r.Meta.When.Equal(h.meta.When) && (!ok || r.Meta.When.After(old.Meta.When)) {
			out[r.Test] = r
		}
	})
	return out
}

func isNew(r rts.Reason) bool { return r.Code == rts.NoRecord }

// edited tells whether a test runs because a method of its own class is another one.
func (m *mavenModule) edited(d *rts.Decision) bool {
	class, _ := m.MethodOf(d.Test.ID)
	return class != "" && slices.ContainsFunc(d.Reasons, func(r rts.Reason) bool {
		return len(r.Path) == 0 && r.Entity == rts.Entity{Kind: project.Class, Name: m.ClassUse(class)} && strings.HasPrefix(r.Detail, "method ")
	})
}

// readers finds the tests that read what no record from before this run says to be changed, each with what that is.
func (h *mavenRun) readers(v *store.View, m *mavenModule, out map[rts.TestID]string) error {
	all := h.belongings(v, m)
	before, noted, err := notedBefore(v, all)
	if err != nil || !noted {
		return err
	}
	outdated, err := m.Outdated(before)
	if err != nil {
		return err
	}
	for id, field := range outdated {
		out[id] = "what finds its tests no longer changes " + field
	}
	puts := m.Puts()
	begin, err := m.Begin(puts, before)
	if err != nil {
		return err
	}
	cease, err := m.ceased(puts, before)
	if err != nil {
		return err
	}
	found := &concernedBy{all: all, has: havers(all), excuses: &excuses{v, all, map[project.Method]testSet{}}, module: m, out: out}
	if err := found.add(begin, "begins to change", m.Meet); err != nil || len(cease) == 0 {
		return err
	}
	ran := h.ran(v)
	return found.add(cease, "no longer changes", func(put rts.Entity, giver, reader rts.TestID) bool {
		return m.Meet(put, giver, reader) && !ran.any[reader].After(ran.passed[giver])
	})
}

// times tells when tests ran last before this run, and when they passed last. Who ran after another one passed last did so without what that changes.
type times struct{ any, passed map[rts.TestID]time.Time }

func (h *mavenRun) ran(v *store.View) times {
	t := times{map[rts.TestID]time.Time{}, map[rts.TestID]time.Time{}}
	v.Records(func(r store.Stored) {
		if r.Meta.When.Equal(h.meta.When) {
			return
		}
		if r.Meta.When.After(t.any[r.Test]) {
			t.any[r.Test] = r.Meta.When
		}
		if r.Outcome == rts.Passed && r.Meta.When.After(t.passed[r.Test]) {
			t.passed[r.Test] = r.Meta.When
		}
	})
	return t
}

// ceased lists the changes of state that tests made before and did not make in this run because they were skipped, failed or were kept from running. Of a test that passes nothing ceases but by another body, which its readers have.
func (m *mavenModule) ceased(puts, before map[rts.Entity][]rts.TestID) (map[rts.Entity][]rts.TestID, error) {
	stopped := map[rts.TestID]bool{}
	for i := range m.rep.Results {
		if r := &m.rep.Results[i].Record; r.Outcome != rts.Passed {
			stopped[r.Test] = true
		}
	}
	if len(m.request.Chosen()) == 0 {
		for id := range m.rep.NotRun {
			stopped[id] = true
		}
	}
	type change struct {
		test  rts.TestID
		field string
	}
	still := map[change]bool{}
	each := func(puts map[rts.Entity][]rts.TestID, f func(put rts.Entity, id rts.TestID, meeting *project.Meeting)) error {
		for put, tests := range puts {
			if !slices.ContainsFunc(tests, func(id rts.TestID) bool { return stopped[id] }) {
				continue
			}
			meeting, err := m.Meeting(put)
			if err != nil {
				return err
			}
			for _, id := range tests {
				if stopped[id] && !meeting.Left && !meeting.First {
					f(put, id, &meeting)
				}
			}
		}
		return nil
	}
	out := map[rts.Entity][]rts.TestID{}
	err := each(puts, func(_ rts.Entity, id rts.TestID, meeting *project.Meeting) { still[change{id, meeting.Field}] = true })
	return out, errors.Join(err, each(before, func(put rts.Entity, id rts.TestID, meeting *project.Meeting) {
		if !still[change{id, meeting.Field}] {
			out[put] = append(out[put], id)
		}
	}))
}

// concernedBy finds the tests that changes of state concern.
type concernedBy struct {
	module  *mavenModule
	all     *belongings
	has     func(rts.TestID, []rts.Entity) (bool, error)
	excuses *excuses
	out     map[rts.TestID]string // each with the first change
}

// add adds those whom changes concern that some tests make differently now, if they meet.
func (c *concernedBy) add(changes map[rts.Entity][]rts.TestID, how string, meet func(put rts.Entity, giver, reader rts.TestID) bool) error {
	for _, put := range slices.SortedFunc(maps.Keys(changes), rts.Entity.Compare) {
		meeting, err := c.module.Meeting(put)
		if err != nil {
			return err
		}
		excused, err := c.excuses.from(&meeting)
		if err != nil {
			return err
		}
		var failed error
		concerns := func(n int) {
			id := c.all.tests[n]
			if excused.has(n) || c.out[id] != "" {
				return
			}
			sees, lost := c.has(id, meeting.Within)
			failed = errors.Join(failed, lost)
			by := slices.IndexFunc(changes[put], func(other rts.TestID) bool { return other != id && meet(put, other, id) })
			if by >= 0 && (len(meeting.Within) == 0 || sees) {
				c.out[id] = fmt.Sprintf("%s %s %s", changes[put][by], how, meeting.Field)
			}
		}
		for _, e := range meeting.Reads {
			of, lost := c.all.with(e)
			err = errors.Join(err, lost)
			of.tests.each(concerns)
		}
		if meeting.All {
			for n := range c.all.tests {
				concerns(n)
			}
		}
		if err = errors.Join(err, failed); err != nil {
			return err
		}
	}
	return nil
}

// notedBefore lists the notes about changes of state that records from before this run have, each with their tests; noted tells whether there are notes at all. Records of earlier versions have none, and never hold.
func notedBefore(v *store.View, all *belongings) (puts map[rts.Entity][]rts.TestID, noted bool, err error) {
	puts = map[rts.Entity][]rts.TestID{}
	if !all.before {
		return puts, false, nil
	}
	v.Entities(func(e rts.Entity) {
		if e.Kind != project.StatePut && (noted || e.Kind != project.StateRead) || err != nil {
			return
		}
		var of *found
		of, err = all.with(e)
		noted = noted || len(of.old) > 0
		if len(of.old) > 0 && e.Kind == project.StatePut {
			puts[e] = all.ids(of.old)
		}
	})
	return puts, noted, err
}

// excuses find the tests that are not concerned by a change although they may read the field: the method would have done the same for them.
type excuses struct {
	view *store.View
	all  *belongings
	// run has by method the tests that have it: the same few methods change many fields.
	run map[project.Method]testSet
}

func (x *excuses) from(m *project.Meeting) (testSet, error) {
	if m.Again && len(m.Callers) == 0 {
		return nil, nil
	}
	excused, err := x.having(m.Method)
	if err != nil || !m.Again {
		return excused, err
	}
	excused = slices.Clone(excused)
	for _, caller := range m.Callers {
		has, err := x.having(caller)
		if err != nil {
			return nil, err
		}
		excused = excused[:min(len(excused), len(has))]
		for i := range excused {
			excused[i] &= has[i]
		}
	}
	return excused, nil
}

// having finds the tests that have a method.
func (x *excuses) having(of project.Method) (testSet, error) {
	has, known := x.run[of]
	if !known {
		footprints, err := footprintsWith(x.view, &of)
		if err != nil {
			return nil, err
		}
		has = x.all.of(footprints...).tests
		x.run[of] = has
	}
	return has, nil
}

// footprintsWith lists the footprints that have a method.
func footprintsWith(v *store.View, of *project.Method) (out []store.FootprintRef, err error) {
	v.Inputs(of.Class, func(in store.InputRef, d digest.Digest) {
		body, _, lost := v.Body(d)
		owners, failed := v.Owners(in)
		if err = errors.Join(err, lost, failed); err != nil {
			return
		}
		at, ok := of.Entry(body)
		if !ok {
			return
		}
		for _, f := range owners {
			entries, failed := v.Entries(f, []store.InputRef{in})
			if failed != nil {
				err = failed
				return
			}
			if _, covered := slices.BinarySearch(entries[0], at); covered || entries[0] == nil {
				out = append(out, f)
			}
		}
	})
	return out, err
}

// whatBegan is the first thing that began.
func (m *mavenModule) whatBegan() string { return firstOf(m.begun) }

// whatLacked is the first thing that a test passed without.
func (m *mavenModule) whatLacked() string { return firstOf(m.unbacked) }

func firstOf(m map[rts.TestID]string) string { return m[slices.Min(slices.Collect(maps.Keys(m)))] }

// again says which tests of a module run once more with others, and why: those that ran for the reasons that they had.
func (m *mavenModule) again(others, makers map[rts.TestID]string) map[rts.TestID][]rts.Reason {
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
	for _, with := range []map[rts.TestID]string{makers, m.unbacked} {
		for id, why := range with {
			if out[id] == nil {
				out[id] = []rts.Reason{{Code: rts.Accompanies, Detail: why}}
			}
		}
	}
	return out
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
