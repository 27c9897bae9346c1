package main

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/surefire"
)

// A history is what was done with a project so far.
type history struct {
	place
	revisions []revision
	unstable  map[string]bool
	audits    []*step
}

// A revision is one that was looked at. Steps that are not done are nil.
type revision struct {
	number               int
	judge, winnow, again *step
	plains               []*step // the first one is the one that is compared
}

// history reads the steps of a project up to a revision.
func (p place) history(upTo int) (*history, error) {
	h := &history{place: p, unstable: map[string]bool{}}
	for i := range upTo + 1 {
		r := revision{number: i}
		for what, to := range map[string]**step{"judge": &r.judge, "winnow": &r.winnow, "again": &r.again} {
			var err error
			if *to, err = load(p.result(name(i, what))); err != nil {
				return nil, err
			}
		}
		for _, what := range []string{"plain", "plain-2", "plain-3", "rerun-1", "rerun-2"} {
			s, err := load(p.result(name(i, what)))
			if err != nil {
				return nil, err
			}
			if s != nil {
				r.plains = append(r.plains, s)
			}
		}
		if len(r.plains) == 0 {
			break
		}
		h.revisions = append(h.revisions, r)
		if !r.broken() {
			h.compare(r.plains)
		}
	}
	var err error
	h.audits, err = p.audits(upTo)
	return h, err
}

// audits returns the batches of mutants at the latest revision that has any.
func (p place) audits(upTo int) ([]*step, error) {
	for i := upTo; i >= 0; i-- {
		var all []*step
		for k := 0; ; k++ {
			s, err := load(p.result(batchName(i, k)))
			if err != nil {
				return nil, err
			}
			if s == nil {
				break
			}
			all = append(all, s)
		}
		if all != nil {
			return all, nil
		}
	}
	return nil, nil
}

// compare finds tests that plain runs of the same files do not agree on.
func (h *history) compare(plains []*step) {
	for _, a := range plains {
		for _, b := range plains {
			for key, v := range a.Outcomes {
				if b.Outcomes[key] != v {
					h.unstable[key] = true
				}
			}
		}
	}
}

// broken tells whether the revision cannot be built.
func (r revision) broken() bool { return r.plains[0].Broken || r.judge != nil && r.judge.Broken }

// built returns the revisions of which all runs are there.
func (h *history) built() []revision {
	var all []revision
	for _, r := range h.revisions {
		if !r.broken() && (r.judge != nil || r.number == 0) && r.winnow != nil && r.again != nil {
			all = append(all, r)
		}
	}
	return all
}

// suspects returns what contradicts plain Maven at the last revision, as far as it can be the fault of an unstable test.
func (h *history) suspects() []string {
	all := h.built()
	if len(all) < 2 {
		return nil
	}
	return append(h.otherOutcomes(all[len(all)-1]), h.unnoticed(all[len(all)-2], all[len(all)-1])...)
}

// otherOutcomes lists tests of a revision with another outcome than in the plain run, and runs that did not end as runs of tests do.
func (h *history) otherOutcomes(now revision) []string {
	found := now.endings()
	plain := now.plains[0].Outcomes
	for _, key := range sorted(now.winnow.Outcomes.ran()) {
		if got, want := now.winnow.Outcomes[key].Result, plain[key].Result; got != want && !h.unstable[key] {
			found = append(found, fmt.Sprintf("revision %d: %s is %q, in plain Maven %q", now.number, key, got, want))
		}
	}
	return found
}

// endings lists the runs of Winnow that ended neither well nor with failing tests.
func (r revision) endings() []string {
	var found []string
	for _, s := range []*step{r.winnow, r.again} {
		if s.Exit > 1 {
			found = append(found, fmt.Sprintf("revision %d: Winnow ended with status %d: %s", r.number, s.Exit, s.Says.Error))
		}
	}
	return found
}

// newlyFailing returns the stable tests that fail at a revision and did not before.
func (h *history) newlyFailing(before, now revision) []string {
	var found []string
	plain := now.plains[0].Outcomes
	for _, key := range sorted(plain) {
		if plain[key].failing() && !before.plains[0].Outcomes[key].failing() && !h.unstable[key] {
			found = append(found, key)
		}
	}
	return found
}

// unnoticed lists the newly failing tests that were not run.
func (h *history) unnoticed(before, now revision) []string {
	var found []string
	ran := now.winnow.Outcomes.ran()
	for _, key := range h.newlyFailing(before, now) {
		if !ran[key] {
			found = append(found, fmt.Sprintf("revision %d: %s fails now and was not run", now.number, key))
		}
	}
	return found
}

// first lists the differences between the first run of Winnow and plain Maven.
func (h *history) first(base revision) []string {
	found := base.endings()
	plain, winnow := base.plains[0].Outcomes, base.winnow.Outcomes
	both := map[string]bool{}
	for _, o := range []outcomes{plain, winnow} {
		for key := range o {
			both[key] = !h.unstable[key]
		}
	}
	for _, key := range sorted(both) {
		if both[key] && plain[key] != winnow[key] {
			found = append(found, fmt.Sprintf("base: %s is %v, in plain Maven %v", key, winnow[key], plain[key]))
		}
	}
	return found
}

// affected returns the test classes that execute a method that differs between two revisions, each with one such method. Classes that share a JVM under the judge, as those of a suite do, are
// one name with commas: which of them executes the method is not known.
func (h *history) affected(before, now revision) (map[string]string, error) {
	old, err := readBodies(h.data(name(before.number, "plain-methods")))
	if err != nil {
		return nil, err
	}
	new, err := readBodies(h.data(name(now.number, "plain-methods")))
	if err != nil {
		return nil, err
	}
	present := outermostOf(now.plains[0].Outcomes.ran())
	classes := map[string]string{}
	for _, side := range []struct {
		r      revision
		differ map[string]bool
	}{{before, differing(old, new)}, {now, differing(new, old)}} {
		found, err := hits(h.data(name(side.r.number, "judge-executed")), side.differ)
		if err != nil {
			return nil, err
		}
		for session, method := range found {
			here := slices.DeleteFunc(slices.Clone(side.r.judge.Sessions[session]), func(c string) bool { return !present[c] })
			if len(here) == 0 {
				continue
			}
			slices.Sort(here)
			class := strings.Join(here, ",")
			if was, ok := classes[class]; !ok || method < was {
				classes[class] = method
			}
		}
	}
	return classes, nil
}

// unjudged counts the JVMs of a run under the judge that ran more than one test class: which of them executes a method is not known there.
func (r revision) unjudged() int {
	n := 0
	if r.judge == nil {
		return 0
	}
	for _, classes := range r.judge.Sessions {
		if len(classes) > 1 {
			n++
		}
	}
	return n
}

// due are the reasons for which a test may run although nothing changed.
var due = []string{"failed-last", "opaque", "external", "unstable", "pinned"}

// idle sorts the tests that ran although nothing had changed: by the reason that Winnow gives, and those without a good one.
func (h *history) idle(r revision) (byReason map[string]int, bad []string) {
	reasons := map[string]string{}
	for _, t := range r.again.Says.Tests {
		key := keyOf(t.ID)
		for _, reason := range t.Reasons {
			if reasons[key] == "" || slices.Contains(due, reason.Code) {
				reasons[key] = reason.Code
			}
		}
	}
	byReason = map[string]int{}
	for _, key := range sorted(r.again.Outcomes.ran()) {
		code := reasons[key]
		if code == "" && r.winnow.Outcomes[key].failing() {
			code = "failed-last"
		}
		byReason[code]++
		if !slices.Contains(due, code) {
			bad = append(bad, fmt.Sprintf("revision %d: %s ran again, reason %q", r.number, key, code))
		}
	}
	return byReason, bad
}

// keyOf turns the name that Winnow gives a test into the key of its outcomes.
func keyOf(id string) string {
	class, test, ok := strings.Cut(id, "#")
	if !ok {
		return id
	}
	test, _, _ = strings.Cut(test, ":")              // the framework
	test = test[strings.LastIndexByte(test, '#')+1:] // without the class that declares it
	return surefire.Test(class, test)
}
