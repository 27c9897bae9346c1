package rule

import (
	"fmt"
	"maps"
	"slices"
)

func somethingEndsOtherwise(t *Trial) bool {
	for r := 1; r < len(t.Same); r++ {
		for test, o := range t.all(r).Outcomes {
			if was, ok := t.all(r - 1).Outcomes[test]; ok && was != o {
				return true
			}
		}
	}
	return false
}

func hasFamily(t *Trial) bool {
	seen := map[string]bool{}
	for _, h := range t.Histories {
		if h.Family != "" && seen[h.Family] {
			return true
		}
		seen[h.Family] = true
	}
	return false
}

func repeats(t *Trial) bool { return slices.Contains(t.Same, true) }

func hasTouched(t *Trial) bool {
	return slices.ContainsFunc(t.Touched, func(m map[string]string) bool { return len(m) > 0 })
}

// missed is I1.
func missed(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		tests := slices.DeleteFunc(t.newlyFailed(r), s.ran)
		if len(tests) > 0 {
			found(h, r, tests, "did not run, and fail: "+names(tests))
		}
	})
}

// stale is I2. A test is compared with every revision at which the tool ran it, with what the baseline saw there: a tool may go by any of its records. A test
// that the tool never ran is R6's business.
func stale(t *Trial, found func(*History, int, []string, string)) {
	for i := range t.Histories[1:] {
		h := &t.Histories[i+1]
		ends := map[string][]Outcome{}
		for r := range h.Steps {
			s := &h.Steps[r]
			if !s.Done() {
				continue
			}
			var tests []string
			for test, now := range t.all(r).Outcomes {
				if s.ran(test) {
					ends[test] = append(ends[test], now)
				} else if known := ends[test]; known != nil && !slices.Contains(known, now) {
					tests = append(tests, test)
				}
			}
			if len(tests) > 0 {
				slices.Sort(tests)
				found(h, r, tests, "did not run, and end otherwise than before: "+names(tests))
			}
		}
	}
}

// endsOtherwise is I3. States are compared where both were captured.
func endsOtherwise(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		var tests []string
		for test, o := range s.Outcomes {
			all, ok := t.all(r).Outcomes[test]
			if ok && (o.Failed != all.Failed || o.State != "" && all.State != "" && o.State != all.State) {
				tests = append(tests, test)
			}
		}
		if len(tests) > 0 {
			slices.Sort(tests)
			found(h, r, tests, "end otherwise than with retest-all: "+names(tests))
		}
	})
}

// runsOthers is I4.
func runsOthers(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		selected := slices.Sorted(slices.Values(s.Selected))
		ran := s.Executed()
		if !slices.Equal(selected, ran) {
			extra, lacking := minus(ran, selected), minus(selected, ran)
			found(h, r, append(extra, lacking...), fmt.Sprintf("%d tests ran unselected, %d selected ones did not run", len(extra), len(lacking)))
		}
	})
}

func minus(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(x string) bool { return slices.Contains(b, x) })
}

// orderMatters is I5: a member of a family is compared with the first one.
func orderMatters(t *Trial, found func(*History, int, []string, string)) {
	first := map[string]*History{}
	for i := range t.Histories {
		if h := &t.Histories[i]; h.Family != "" && first[h.Family] == nil {
			first[h.Family] = h
		}
	}
	t.judged(func(h *History, r int, s *Step) {
		one := first[h.Family]
		if one == nil || one == h || !one.Steps[r].Done() {
			return
		}
		a, b := slices.Sorted(slices.Values(s.Selected)), slices.Sorted(slices.Values(one.Steps[r].Selected))
		if tests := append(minus(a, b), minus(b, a)...); len(tests) > 0 {
			found(h, r, tests, fmt.Sprintf("selects otherwise than %s: %s", one.Subject, names(tests)))
		}
	})
}

// vetoed is I6. In a revision that equals the one before, and in the first, a veto says nothing.
func vetoed(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		others := t.others(h, r)
		if r == 0 || t.Same[r] || others == nil {
			return
		}
		var tests []string
		for _, test := range t.all(r).Executed() {
			if !s.ran(test) && !slices.ContainsFunc(others, func(o *Step) bool { return !slices.Contains(o.Selected, test) }) {
				tests = append(tests, test)
			}
		}
		if len(tests) > 0 {
			found(h, r, tests, fmt.Sprintf("leaves out what %d other tools select: %s", len(others), names(tests)))
		}
	})
}

// firstTestsDiffer is I7.
func firstTestsDiffer(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		if r > 0 {
			return
		}
		all, ran := t.all(0).Executed(), s.Executed()
		if tests := append(minus(all, ran), minus(ran, all)...); len(tests) > 0 {
			found(h, 0, tests, "the tests differ from those of retest-all: "+names(tests))
		}
	})
}

// selectsAgain is I8.
func selectsAgain(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		if r < 2 || !t.Same[r] || !h.Steps[r-1].Done() {
			return
		}
		if tests := unfounded(t, r, s); len(tests) > 0 {
			found(h, r, tests, fmt.Sprintf("selects %d tests though nothing changed: %s", len(tests), names(tests)))
		}
	})
}

// loses is L1.
func loses(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		if r >= len(t.Touched) || r == 0 {
			return
		}
		var tests []string
		for _, test := range slices.Sorted(maps.Keys(t.Touched[r])) {
			if !s.ran(test) {
				tests = append(tests, test)
			}
		}
		if len(tests) > 0 {
			found(h, r, tests, fmt.Sprintf("did not run, and execute a changed method: %s (%s)", names(tests), t.Touched[r][tests[0]]))
		}
	})
}
