package agent

import (
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
	belongs := func(key string) {
		for _, class := range finders(key) {
			has[a.finding[class]] = true
		}
	}
	for _, s := range a.nodes {
		belongs(s.Key)
	}
	for _, key := range a.trace.Excluded {
		belongs(key)
	}
	a.trace.Found = slices.DeleteFunc(a.trace.Found, func(f *Footprint) bool {
		if has[f] {
			return false
		}
		a.trace.Process.join(f)
		return true
	})
}

// FoundClass is the class of which a footprint of a name says how its tests were found; false if the name is that of another footprint.
func FoundClass(name string) (class string, ok bool) {
	class, ok = strings.CutPrefix(name, "found(")
	return strings.TrimSuffix(class, ")"), ok
}

// FoundOf returns a function that lists how the test with a key was found, as far as that is in Found.
func (t *Trace) FoundOf() func(key string) []*Footprint {
	by := map[string]*Footprint{}
	for _, f := range t.Found {
		class, _ := FoundClass(f.Name)
		by[class] = f
	}
	return func(key string) []*Footprint {
		var out []*Footprint
		for _, class := range finders(key) {
			if f := by[class]; f != nil {
				out = append(out, f)
			}
		}
		return out
	}
}

// finders are the classes of which it belongs to a test how their tests were found: that whose runner has it in Vintage; in TestNG its own and those around it, because the object of an inner class has theirs.
func finders(key string) []string {
	if _, rest, ok := strings.Cut(key, "/[runner:"); ok {
		runner, _, _ := strings.Cut(rest, "]")
		return []string{runner}
	}
	_, rest, _ := strings.Cut(key, "(")
	class := strings.TrimSuffix(rest, ")")
	out := []string{class}
	for i := len(class) - 1; i > 0 && strings.HasPrefix(key, "testng:"); i-- {
		if class[i] == '$' {
			out = append(out, class[:i])
		}
	}
	return out
}
