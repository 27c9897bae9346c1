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
// together. So when a test fails that has passed before, and a test that was left out may have filled such state, the build is repeated with all tests of the
// module, and that decides. A run in which no test fails pays nothing.

// A suspicion is a test that may have failed because others were left out.
type suspicion struct {
	test  rts.TestID
	first rts.Outcome
	state []string // what ties it to them
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
		ties, err := h.ties(v, m, left)
		if err != nil {
			return err
		}
		red := h.red(v, m) // with the others it was found out that these fail
		out = slices.DeleteFunc(out, func(s suspicion) bool { return red[s.test] })
		for i := range out {
			if out[i].state, _, err = ties.of(out[i].test); err != nil {
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

// putsByField lists by what they change the tests that are left out.
func (h *mavenRun) putsByField(v *store.View, m *mavenModule) (map[string][]rts.TestID, error) {
	puts, err := h.absence(m).puts(v, h.belongings(v, m))
	out := map[string][]rts.TestID{}
	for e, tests := range puts {
		meeting, failed := m.Meeting(e)
		out[meeting.Field] = append(out[meeting.Field], tests...)
		err = errors.Join(err, failed)
	}
	return out, err
}

// ties tell what may tie a test to tests that were left out.
type ties struct {
	view  *store.View
	m     *mavenModule
	among map[rts.TestID]bool
	puts  map[string][]rts.TestID // by state: those that change it
	users func(rts.Entity, func(rts.TestID)) error
	known map[string][]rts.TestID // by class: those that have it
}

func (h *mavenRun) ties(v *store.View, m *mavenModule, among map[rts.TestID]bool) (*ties, error) {
	puts, err := h.putsByField(v, m)
	// A test that is left out may be so on a record that is not its newest.
	return &ties{view: v, m: m, among: among, puts: puts, users: v.UsersAmong(func(store.Stored) bool { return true }), known: map[string][]rts.TestID{}}, err
}

// of returns the state that a test found when it passed and that one of the tests that were left out may have changed, and those tests. Who changes a static field, or something else that is kept, has a note of that;
// who changes a field of an object has run a body that names its class, so its record has the class.
func (t *ties) of(test rts.TestID) (state []string, with []rts.TestID, err error) {
	found := map[project.Tie]bool{}
	t.view.Records(func(r store.Stored) {
		if r.Test == test && r.Outcome == rts.Passed {
			t.view.Closure(r.Ref, func(f store.FootprintRef) {
				if tie, ok := project.TieOf(t.view.Label(f)); ok && !t.m.InLibrary(tie.Class) {
					found[tie] = true
				}
			})
		}
	})
	fillers := map[rts.TestID]bool{}
	for tie := range found {
		tied := tie.Several
		note := func(id rts.TestID) {
			if t.among[id] && id != test {
				tied, fillers[id] = true, true
			}
		}
		if tie.Several {
			for id := range t.among {
				note(id)
			}
		}
		for _, id := range t.puts[tie.State] {
			note(id)
		}
		if !t.m.IsStatic(tie) {
			having, failed := t.having(t.m.ClassUse(tie.Class))
			err = errors.Join(err, failed)
			for _, id := range having {
				note(id)
			}
		}
		if tied {
			state = append(state, tie.State)
		}
	}
	for id := range fillers {
		with = append(with, id)
	}
	slices.Sort(state)
	slices.Sort(with)
	return state, with, err
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
		ties, err := h.ties(v, m, left)
		if err != nil {
			return err
		}
		for _, test := range unstable {
			_, fillers, err := ties.of(test)
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

// repeat runs the build again if tests may have failed because others were left out, with all tests of their modules. It returns the outcome that counts.
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
	whole, once, doubted := map[string]string{}, map[string]map[rts.TestID][]rts.Reason{}, map[*mavenModule][]suspicion{}
	for _, m := range h.modules {
		found, err := h.suspicions(ctx, m)
		if err != nil {
			return outcome, err
		}
		if len(found) > 0 {
			doubted[m] = found
			whole[executionOf(m.request)] = fmt.Sprintf("%s failed while others were left out, and may depend on them", found[0].test)
			fmt.Fprintf(h.out, "%s %s: %s; once more with all tests\n", h.style.Bold("winnow"), m.Name(), whole[executionOf(m.request)])
			continue
		}
		if n := len(m.begun); n > 0 {
			fmt.Fprintf(h.out, "%s %s: %s; once more with %s\n", h.style.Bold("winnow"), m.Name(), m.whatBegan(), counted(n, "test that reads it", "tests that read it"))
		}
		if n := len(m.unbacked); n > 0 {
			fmt.Fprintf(h.out, "%s %s: %s; once more with %s\n", h.style.Bold("winnow"), m.Name(), m.whatLacked(), counted(n, "test that changes it", "tests that change it"))
		}
		if len(m.begun)+len(m.unbacked) > 0 {
			once[executionOf(m.request)] = m.again(m.begun)
		}
	}
	if len(whole) == 0 && len(once) == 0 {
		return outcome, nil
	}
	second, err := h.session.mavenRun(ctx, true)
	if err != nil {
		return outcome, err
	}
	second.whole, second.once = whole, once
	h.session.run.Notices = nil
	decides, err := second.build(ctx, args)
	if err == nil && len(once) > 0 {
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
