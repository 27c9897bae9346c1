package report

import "fmt"

// text says whether the tests that were to be left out ended as proven.
func (s *Shadow) text(t *text) {
	for _, m := range s.Missed {
		t.plain("%s %s would have been left out: %s before, %s now", t.style.Red("MISSED"), m.Test, m.Proven, m.Outcome)
		if m.Message != "" {
			t.plain("  %s", m.Message)
		}
	}
	line := fmt.Sprintf("%d of %s would have been left out", s.LeftOut, count(s.Tests, "test"))
	switch {
	case len(s.Missed) > 0:
		line += "; " + t.style.Red(fmt.Sprintf("%d of them did not end as proven", len(s.Missed)))
	case s.LeftOut == 0:
	case s.NotCompared == s.LeftOut:
		line += "; none of them ended, so nothing can be said"
	case s.NotCompared > 0:
		line += fmt.Sprintf("; %d of them ended, all as proven", s.LeftOut-s.NotCompared)
	default:
		line += "; all of them ended as proven"
	}
	t.plain("shadow: %s", line)
	if s.Case != "" {
		t.plain("  `winnow audit --repeat %s` repeats it", s.Case)
	}
}
