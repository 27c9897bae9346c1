package rule

import "fmt"

// All is the list of all rules.
var All = []*Rule{
	{ID: "R1", Title: "fewer newly failed tests than with retest-all", Kind: Safety, Certain: true, Needs: "a newly failing test", Applies: somethingFails, find: fewerNewlyFailed},
	{ID: "R2", Title: "selects none while all other tools select all", Kind: Safety, Needs: "two other tools", Applies: hasOthers, find: noneAgainstAll},
	{ID: "R3", Title: "selects all tests in all revisions that differ from the one before", Kind: Precision, Needs: "a revision that differs", Applies: somethingDiffers, find: alwaysAll},
	{ID: "R4", Title: "selects all while all other tools select none", Kind: Precision, Needs: "two other tools", Applies: hasOthers, find: allAgainstNone},
	{ID: "R5", Title: "the first two revisions are equal, and it selects something in the second", Kind: Precision, Certain: true, Needs: "two equal revisions at the beginning", Applies: beginsTwice, find: selectsUnchanged},
	{ID: "R6", Title: "selects another number of tests in the first revision than retest-all runs", Kind: Generality, Certain: true, Applies: always, find: firstDiffers},
	{ID: "R7", Title: "more tests fail than with retest-all", Kind: Generality, Certain: true, Applies: always, find: moreFail},
	{ID: "I1", Title: "a test that fails newly with retest-all did not run", Kind: Safety, Certain: true, Needs: "a newly failing test", Applies: somethingFails, find: missed},
	{ID: "I2", Title: "a test that did not run ends otherwise than whenever the tool ran it", Kind: Safety, Certain: true, Needs: "a test that ends otherwise", Applies: somethingEndsOtherwise, find: stale},
	{ID: "I3", Title: "a test ends otherwise than with retest-all", Kind: Generality, Certain: true, Applies: always, find: endsOtherwise},
	{ID: "I4", Title: "the tests that ran are not those that were selected", Kind: Generality, Certain: true, Applies: always, find: runsOthers},
	{ID: "I5", Title: "order or repetition of runs changes what is selected", Kind: Generality, Certain: true, Needs: "a second member of a family of subjects", Applies: hasFamily, find: orderMatters},
	{ID: "I6", Title: "leaves out a test that all other tools select", Kind: Safety, Needs: "two other tools", Applies: hasOthers, find: vetoed},
	{ID: "I7", Title: "does not run exactly the tests of retest-all in the first revision", Kind: Generality, Certain: true, Applies: always, find: firstTestsDiffer},
	{ID: "I8", Title: "selects a test in a revision that equals the one before", Kind: Precision, Certain: true, Needs: "two equal revisions", Applies: repeats, find: selectsAgain},
	{ID: "L1", Title: "leaves out a test that executes a changed method", Kind: Safety, Certain: true, Needs: "executed methods by an independent decoder", Applies: hasTouched, find: loses},
}

func always(*Trial) bool { return true }

func somethingFails(t *Trial) bool {
	for r := range t.Same {
		if len(t.newlyFailed(r)) > 0 {
			return true
		}
	}
	return false
}

func hasOthers(t *Trial) bool {
	families := map[string]bool{}
	n := 0
	for _, h := range t.Histories {
		if h.Role == Selecting && (h.Family == "" || !families[h.Family]) {
			families[h.Family] = true
			n++
		}
	}
	return n >= 3
}

func somethingDiffers(t *Trial) bool {
	for r, same := range t.Same {
		if r > 0 && !same && len(t.all(r).Outcomes) > 0 {
			return true
		}
	}
	return false
}

func beginsTwice(t *Trial) bool { return len(t.Same) > 1 && t.Same[1] }

// fewerNewlyFailed is R1.
func fewerNewlyFailed(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		fails := t.newlyFailed(r)
		shown := 0
		for test, o := range s.Outcomes {
			if before, ok := before(t, r, test); ok && o.Failed && !before.Failed {
				shown++
			}
		}
		if shown < len(fails) {
			found(h, r, fails, fmt.Sprintf("%d newly failed tests, retest-all shows %d: %s", shown, len(fails), names(fails)))
		}
	})
}

func before(t *Trial, r int, test string) (Outcome, bool) {
	if r == 0 {
		return Outcome{}, false
	}
	o, ok := t.all(r - 1).Outcomes[test]
	return o, ok
}

// selectsAll tells whether a step selected every test that exists, and there is one.
func selectsAll(t *Trial, r int, s *Step) bool {
	n := len(t.all(r).Outcomes)
	return n > 0 && len(s.Selected) >= n
}

// noneAgainstAll is R2.
func noneAgainstAll(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		others := t.others(h, r)
		if len(s.Selected) > 0 || others == nil {
			return
		}
		for _, o := range others {
			if !selectsAll(t, r, o) {
				return
			}
		}
		found(h, r, nil, fmt.Sprintf("selects none of %d tests, %d other tools select all", len(t.all(r).Outcomes), len(others)))
	})
}

// alwaysAll is R3. The first revision and those that equal the one before do not count.
func alwaysAll(t *Trial, found func(*History, int, []string, string)) {
	for i := range t.Histories[1:] {
		h := &t.Histories[i+1]
		n := 0
		for r := 1; r < len(t.Same); r++ {
			s := &h.Steps[r]
			if t.Same[r] || len(t.all(r).Outcomes) == 0 {
				continue
			}
			if !s.Done() || !selectsAll(t, r, s) {
				n = -1
				break
			}
			n++
		}
		if n > 0 {
			found(h, -1, nil, fmt.Sprintf("selects all tests in each of %d changed revisions", n))
		}
	}
}

// allAgainstNone is R4.
func allAgainstNone(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		others := t.others(h, r)
		if !selectsAll(t, r, s) || others == nil {
			return
		}
		for _, o := range others {
			if len(o.Selected) > 0 {
				return
			}
		}
		found(h, r, nil, fmt.Sprintf("selects all %d tests, %d other tools select none", len(s.Selected), len(others)))
	})
}

// unfounded are the tests selected at a revision that equals the one before, without those that are excepted: they failed there, or cannot be tracked.
func unfounded(t *Trial, r int, s *Step) []string {
	var out []string
	for _, test := range s.Selected {
		o, known := before(t, r, test)
		if _, excepted := s.Excepted[test]; !excepted && !(known && o.Failed) {
			out = append(out, test)
		}
	}
	return out
}

// selectsUnchanged is R5.
func selectsUnchanged(t *Trial, found func(*History, int, []string, string)) {
	if !beginsTwice(t) {
		return
	}
	t.judged(func(h *History, r int, s *Step) {
		if tests := unfounded(t, r, s); r == 1 && h.Steps[0].Done() && len(tests) > 0 {
			found(h, r, tests, fmt.Sprintf("selects %d tests though nothing changed: %s", len(tests), names(tests)))
		}
	})
}

// firstDiffers is R6.
func firstDiffers(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		if n := len(t.all(0).Outcomes); r == 0 && len(s.Selected) != n {
			found(h, 0, nil, fmt.Sprintf("selects %d tests, retest-all runs %d", len(s.Selected), n))
		}
	})
}

// moreFail is R7.
func moreFail(t *Trial, found func(*History, int, []string, string)) {
	t.judged(func(h *History, r int, s *Step) {
		if n := t.all(r).failures(); s.failures() > n {
			found(h, r, nil, fmt.Sprintf("%d tests fail, with retest-all %d", s.failures(), n))
		}
	})
}
