package agent

import (
	"maps"
	"slices"
	"strings"
)

// How tests were found, before the first node began.

// foundIn adds how the tests of a class were found.
func (a *attribution) foundIn(r *Found) error {
	class, err := a.text(r.Class)
	if err != nil {
		return err
	}
	p, err := a.piece(r.Hits, r.Events)
	if err != nil {
		return err
	}
	f := a.finding[class]
	if f == nil {
		f = newFootprint("found(" + class + ")")
		a.finding[class] = f
		a.trace.Found = append(a.trace.Found, f)
	}
	f.add(p)
	a.date(f, p)
	return nil
}

// keepFound gives how tests were found to the process, unless there are tests to which it belongs.
func (a *attribution) keepFound() {
	has := map[*Footprint]bool{}
	for _, s := range a.nodes {
		has[a.finding[s.runner()]] = true
	}
	for _, key := range a.trace.Excluded {
		_, class, _ := strings.Cut(key, "(")
		has[a.finding[strings.TrimSuffix(class, ")")]] = true
		has[a.finding[runnerIn(key)]] = true
	}
	a.trace.Found = slices.DeleteFunc(a.trace.Found, func(f *Footprint) bool {
		if has[f] {
			return false
		}
		a.trace.Process.join(f)
		return true
	})
	maps.DeleteFunc(a.finding, func(_ string, f *Footprint) bool { return !has[f] })
}

// runner is the class whose runner has the node, in Vintage; empty elsewhere.
func (s *state) runner() string { return runnerIn(s.Key) }

func runnerIn(key string) string {
	_, class, _ := strings.Cut(key, "/[runner:")
	class, _, _ = strings.Cut(class, "]")
	return class
}
