package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/project"
	"winnow/internal/report"
	"winnow/internal/rts"
	"winnow/internal/store"
)

// A test that needs what earlier tests of its JVM leave behind fails when those are left out, though it passes in plain Maven. Records know which state ties tests
// together. So when a test fails that looked at state which tests that were left out may have changed, the build is repeated with these, and that decides. A run in which no test fails pays nothing.

// A suspicion is a test that may have failed because others were left out.
type suspicion struct {
	test  rts.TestID
	first rts.Outcome
	state []string              // what ties it to them
	with  map[rts.TestID]string // these, each with what it changes
}

// executionOf names the execution of a module.
func executionOf(r *maven.Request) string { return r.Module + " " + r.Mojo.String() }

// leftOut lists the tests of a module that did not run, as a set.
func (m *mavenModule) leftOut() map[rts.TestID]bool {
	out := map[rts.TestID]bool{}
	for i := range m.sel.Decisions {
		if d := &m.sel.Decisions[i]; !d.Selected() && d.Obsolete == "" {
			out[d.Test.ID] = true
		}
	}
	if m.rep != nil {
		for i := range m.rep.Results {
			delete(out, m.rep.Results[i].Record.Test)
		}
	}
	return out
}

// suspicions lists the tests of a module that may have failed because others were left out.
func (h *mavenRun) suspicions(ctx context.Context, m *mavenModule) ([]suspicion, error) {
	out := []suspicion{}
	left := m.leftOut()
	if m.rep == nil || m.rep.RunErr != nil || m.rep.Interrupted || len(left) == 0 || len(m.request.Chosen()) > 0 || m.rep.Bad() == 0 {
		return nil, nil
	}
	for i := range m.rep.Results {
		if r := &m.rep.Results[i].Record; !r.Outcome.Proves() && r.Outcome != rts.OutcomeNone {
			out = append(out, suspicion{test: r.Test, first: r.Outcome})
		}
	}
	err := withView(ctx, h.w.store, func(v *store.View) error {
		last := h.last(v, func(id rts.TestID) bool { return slices.Contains(m.doubted, id) })
		out = slices.DeleteFunc(out, func(s suspicion) bool { return fails(last[s.test]) }) // with the others it was found out that these fail
		ties := h.ties(v, m, left)
		for i := range out {
			var err error
			if out[i].state, out[i].with, err = ties.missed(out[i].test, m.Lacks()[out[i].test]); err != nil {
				return err
			}
		}
		return nil
	})
	// Others that fail for certain do not make it less of a false alarm.
	return slices.DeleteFunc(out, func(s suspicion) bool { return len(s.state) == 0 }), err
}

func withView(ctx context.Context, st *store.Store, f func(*store.View) error) error {
	v, err := st.View(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f(v), v.Close())
}

// ties tell what may tie a test to tests that were left out.
type ties struct {
	run     *mavenRun
	view    *store.View
	m       *mavenModule
	among   map[rts.TestID]bool
	records map[rts.TestID][]store.Stored
	had     func(rts.Entity) (map[rts.TestID]bool, error) // the tests that had an entity before this run
	users   func(rts.Entity, func(rts.TestID)) error
	known   map[string][]rts.TestID // by class: those that have it
}

func (h *mavenRun) ties(v *store.View, m *mavenModule, among map[rts.TestID]bool) *ties {
	// A test that is left out may be so on a record that is not its newest.
	t := &ties{run: h, view: v, m: m, among: among, records: map[rts.TestID][]store.Stored{}, had: h.hadBefore(v, m), users: v.UsersAmong(func(store.Stored) bool { return true }), known: map[string][]rts.TestID{}}
	v.Records(func(r store.Stored) { t.records[r.Test] = append(t.records[r.Test], r) })
	return t
}

// A finding is the state that a test found.
type finding map[project.Tie]bool

// has tells whether a field is among it.
func (f finding) has(field string) bool {
	for tie := range f {
		if slices.Contains(tie.Fields(), field) {
			return true
		}
	}
	return false
}

// found lists the state that a test found when it passed.
func (t *ties) found(test rts.TestID) finding {
	out := finding{}
	for _, r := range t.records[test] {
		if r.Outcome != rts.Passed {
			continue
		}
		t.view.Closure(r.Ref, func(f store.FootprintRef) {
			if tie, ok := project.TieOf(t.view.Label(f)); ok && !t.m.InLibrary(tie.Class) {
				out[tie] = true
			}
		})
	}
	return out
}

// missed returns the state that a test of this run looked at and that one of the tests that were left out may have changed, and those tests, each with what it changes. What the test did not look at it did not miss, whoever changes it.
// Who changes a static field, what it leads to, or something else that is kept, has a note of that. Who changes another object has run a body that names its class, so its record has the class; without a container that keeps objects
// for all tests only those of one test class come by the same one.
func (t *ties) missed(test rts.TestID, lacks []project.Lack) (state []string, with map[rts.TestID]string, err error) {
	with = map[rts.TestID]string{}
	found := t.found(test)
	for _, lack := range lacks {
		meeting, failed := t.m.Meeting(lack.Put)
		if err = errors.Join(err, failed); err != nil {
			return nil, nil, err
		}
		if meeting.IsField() && !found.has(meeting.Field) {
			if had, failed := t.had(meeting.Reads[0]); failed != nil {
				return nil, nil, failed
			} else if had[test] {
				continue // it read the field when it passed, and found nothing there of others: they came after it
			}
		}
		state = append(state, meeting.Field)
		for _, id := range lack.Tests {
			with[id] = meeting.Field
		}
	}
	sees, failed := t.seen(test)
	if err = errors.Join(err, failed); err != nil {
		return nil, nil, err
	}
	for tie := range found {
		if tie.Several || t.m.IsStatic(tie) || !sees(t.m.ClassUse(tie.Class)) {
			continue
		}
		having, failed := t.having(t.m.ClassUse(tie.Class))
		err = errors.Join(err, failed)
		for _, id := range having {
			if id != test && (t.m.HasContainer() || t.m.SameClass(id, test)) {
				with[id] = tie.State
				state = append(state, tie.State)
			}
		}
	}
	slices.Sort(state)
	return slices.Compact(state), with, err
}

// seen returns a function that tells whether a test of this run had a class, not only as something that another test left behind. Of what was not recorded it is not known.
func (t *ties) seen(test rts.TestID) (func(class string) bool, error) {
	has, recorded := map[string]bool{}, false
	var err error
	for _, r := range t.records[test] {
		if !r.Meta.When.Equal(t.run.meta.When) || r.Incomplete {
			continue
		}
		recorded = true
		t.view.Within(r.Ref, func(f store.FootprintRef) bool {
			if project.LeftBehind(t.view.Label(f)) {
				return false
			}
			uses, failed := t.view.Uses(f)
			err = errors.Join(err, failed)
			for _, u := range uses {
				if u.Entity.Kind == project.Class {
					has[u.Entity.Name] = true
				}
			}
			return true
		})
	}
	return func(class string) bool { return has[class] || !recorded }, err
}

// makers returns a function that lists the tests that may make the difference for one that ends now this way and now that: those that change what it found when it passed.
func (t *ties) makers() (func(test rts.TestID) ([]rts.TestID, error), error) {
	puts, err := t.run.absence(t.m).puts(t.view, t.run.belongings(t.view, t.m))
	byField := map[string][]rts.TestID{}
	for e, tests := range puts {
		meeting, failed := t.m.Meeting(e)
		byField[meeting.Field] = append(byField[meeting.Field], tests...)
		err = errors.Join(err, failed)
	}
	return func(test rts.TestID) ([]rts.TestID, error) {
		var err error
		out := map[rts.TestID]bool{}
		for tie := range t.found(test) {
			tests := slices.Clone(byField[tie.State])
			switch {
			case tie.Several:
				tests = slices.Collect(maps.Keys(t.among))
			case !t.m.IsStatic(tie):
				having, failed := t.having(t.m.ClassUse(tie.Class))
				tests, err = append(tests, having...), errors.Join(err, failed)
			}
			for _, id := range tests {
				if t.among[id] && id != test {
					out[id] = true
				}
			}
		}
		return slices.Sorted(maps.Keys(out)), err
	}, err
}

// having lists the tests that were left out and of which some record has a class. Tests that fail together are tied by the same classes.
func (t *ties) having(class string) ([]rts.TestID, error) {
	if out, known := t.known[class]; known {
		return out, nil
	}
	has := map[rts.TestID]bool{}
	err := t.users(rts.Entity{Kind: project.Class, Name: class}, func(id rts.TestID) { has[id] = has[id] || t.among[id] })
	maps.DeleteFunc(has, func(_ rts.TestID, left bool) bool { return !left })
	out := slices.Collect(maps.Keys(has))
	t.known[class] = out
	return out, err
}

// accompany selects with every test that is known to end this way or that the tests that may make the difference.
func (h *mavenRun) accompany(ctx context.Context, m *mavenModule) error {
	var unstable []rts.TestID
	for i := range m.sel.Decisions {
		if d := &m.sel.Decisions[i]; slices.ContainsFunc(d.Reasons, func(r rts.Reason) bool { return r.Code == rts.Unstable }) {
			unstable = append(unstable, d.Test.ID)
		}
	}
	if len(unstable) == 0 || h.shadow != nil {
		return nil
	}
	with := map[rts.TestID][]rts.Reason{}
	left := m.leftOut()
	err := withView(ctx, h.w.store, func(v *store.View) error {
		makers, err := h.ties(v, m, left).makers()
		if err != nil {
			return err
		}
		for _, test := range unstable {
			fillers, err := makers(test)
			if err != nil {
				return err
			}
			for _, id := range fillers {
				with[id] = []rts.Reason{{Code: rts.Accompanies, Detail: string(test) + " may fail without it"}}
			}
		}
		return nil
	})
	m.join(with)
	return err
}

// join selects tests for reasons that the engine does not know.
func (m *mavenModule) join(others map[rts.TestID][]rts.Reason) {
	n := 0
	for i := range m.sel.Decisions {
		d := &m.sel.Decisions[i]
		if reasons, ok := others[d.Test.ID]; ok && d.Obsolete == "" {
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

// company adds to tests that were left out, each with why it runs, others that were left out and change what they read, and so on: as they would have run before them.
func (h *mavenRun) company(ctx context.Context, m *mavenModule, with map[rts.TestID]string) error {
	return withView(ctx, h.w.store, func(v *store.View) error {
		all := h.belongings(v, m)
		puts, err := h.absence(m).puts(v, all)
		if err != nil {
			return err
		}
		has, entities := havers(all), slices.SortedFunc(maps.Keys(puts), rts.Entity.Compare)
		for todo := slices.Sorted(maps.Keys(with)); len(todo) > 0; {
			var next []rts.TestID
			for _, put := range entities {
				meeting, err := m.Meeting(put)
				if err != nil {
					return err
				}
				readers := slices.DeleteFunc(slices.Clone(todo), func(id rts.TestID) bool {
					concerns, failed := concerned(has, id, meeting)
					err = errors.Join(err, failed)
					return !concerns
				})
				if err != nil {
					return err
				}
				for _, id := range puts[put] {
					if by := slices.IndexFunc(readers, func(reader rts.TestID) bool { return m.Meet(put, id, reader) }); by >= 0 && with[id] == "" {
						with[id] = fmt.Sprintf("it changes %s, which %s reads", meeting.Field, readers[by])
						next = append(next, id)
					}
				}
			}
			todo = next
		}
		return nil
	})
}

// repeat runs the build again if tests may have ended as they did because others were left out, with these. It returns the outcome that counts.
func (h *mavenRun) repeat(ctx context.Context, args []string, outcome *maven.Outcome) (*maven.Outcome, error) {
	if !h.runs || h.shadow != nil || outcome == nil || ctx.Err() != nil {
		return outcome, nil
	}
	if h.flags.noRepeat {
		for _, m := range h.modules {
			if n := len(m.begun); n > 0 {
				h.session.run.Notices = append(h.session.run.Notices, fmt.Sprintf("%s: %s; %s next time", m.Name(), m.whatBegan(), counted(n, "test that reads it runs", "tests that read it run")))
			}
			if len(m.unbacked) > 0 {
				h.session.run.Notices = append(h.session.run.Notices, fmt.Sprintf("%s: %s; it proves nothing, and `winnow test --all` decides", m.Name(), m.whatLacked()))
			}
		}
		return outcome, nil
	}
	once, doubted := map[string]map[rts.TestID][]rts.Reason{}, map[*mavenModule][]suspicion{}
	for _, m := range h.modules {
		found, err := h.suspicions(ctx, m)
		if err != nil {
			return outcome, err
		}
		with := map[rts.TestID]string{}
		for _, s := range found {
			for id, state := range s.with {
				with[id] = fmt.Sprintf("it may change %s, and %s failed without it", state, s.test)
			}
		}
		if len(found) > 0 {
			doubted[m] = found
			for _, test := range m.recovered() { // it is open what it missed
				for id := range m.leftOut() {
					if with[id] == "" && m.SameClass(id, test) {
						with[id] = fmt.Sprintf("%s failed with the same inputs before, and passed without it", test)
					}
				}
			}
			if err := h.company(ctx, m, with); err != nil {
				return outcome, err
			}
			fmt.Fprintf(h.out, "%s %s: %s failed, and may depend on tests that were left out, through %s; once more with %s\n", h.style.Bold("winnow"), m.Name(), found[0].test, found[0].state[0], counted(len(with), "test that may change it", "tests that may change it"))
		}
		if n := len(m.begun); n > 0 {
			fmt.Fprintf(h.out, "%s %s: %s; once more with %s\n", h.style.Bold("winnow"), m.Name(), m.whatBegan(), counted(n, "test that reads it", "tests that read it"))
		}
		if n := len(m.unbacked); n > 0 {
			fmt.Fprintf(h.out, "%s %s: %s; once more with %s\n", h.style.Bold("winnow"), m.Name(), m.whatLacked(), counted(n, "test that changes it", "tests that change it"))
		}
		if len(found)+len(m.begun)+len(m.unbacked) > 0 {
			once[executionOf(m.request)] = m.again(m.begun, with)
		}
	}
	if len(once) == 0 {
		return outcome, nil
	}
	second, err := h.session.mavenRun(ctx, true)
	if err != nil {
		return outcome, err
	}
	second.once = once
	h.session.run.Notices = nil
	decides, err := second.build(ctx, args)
	if err == nil {
		decides, err = second.repeat(ctx, args, decides) // others may still be missing
	}
	if err != nil {
		return decides, err
	}
	for _, m := range h.modules {
		h.compareOrder(m, doubted[m], second.modules)
	}
	for _, m := range second.modules {
		m.explain(once[executionOf(m.request)])
	}
	h.adopt(second)
	return decides, nil
}

// compareOrder notes how the tests ended that were run again.
func (h *mavenRun) compareOrder(m *mavenModule, doubted []suspicion, second []*mavenModule) {
	i := slices.IndexFunc(second, func(n *mavenModule) bool { return executionOf(n.request) == executionOf(m.request) })
	if i < 0 || second[i].rep == nil {
		return
	}
	ends := map[rts.TestID]rts.Outcome{}
	for k := range second[i].rep.Results {
		ends[second[i].rep.Results[k].Record.Test] = second[i].rep.Results[k].Record.Outcome
	}
	for _, s := range doubted {
		if end, ran := ends[s.test]; ran {
			h.session.run.Repeated = append(h.session.run.Repeated, report.Repeated{Test: s.test, First: s.first, Second: end, State: s.state})
		}
	}
}

// adopt takes over what a second build did: modules in which it ran something, and those that the first did not reach.
func (h *mavenRun) adopt(second *mavenRun) {
	for _, n := range second.modules {
		i := slices.IndexFunc(h.modules, func(m *mavenModule) bool { return executionOf(n.request) == executionOf(m.request) })
		switch {
		case i < 0:
			h.modules = append(h.modules, n)
		case n.rep == nil || len(n.rep.Results) > 0 || n.rep.RunErr != nil:
			h.modules[i] = n
		}
	}
	h.foreign, h.left, h.meta = second.foreign, second.left, second.meta
	h.keeps(second.unkept)
	h.join()
}
