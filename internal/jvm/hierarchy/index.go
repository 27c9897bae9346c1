package hierarchy

import (
	"errors"
	"maps"
	"slices"
)

// An index knows the direct subtypes of classes.
type index struct {
	known map[string]bool
	below map[string][]string
	// unread are classes that could not be read: they may be subtypes of everything.
	unread map[string]bool
}

func newIndex() index {
	return index{known: map[string]bool{}, below: map[string][]string{}, unread: map[string]bool{}}
}

// Know makes classes known as subtypes of others; Diff considers no other receivers. A class that does not exist is nobody's subtype.
func (w *World) Know(names ...string) {
	for _, name := range names {
		if w.index.known[name] {
			continue
		}
		w.index.known[name] = true
		c, err := w.find(name)
		switch {
		case errors.Is(err, ErrNotFound):
			continue
		case err != nil:
			w.index.unread[name] = true
			continue
		}
		for _, above := range append([]string{c.Super}, c.Interfaces...) {
			w.index.below[above] = append(w.index.below[above], name)
		}
	}
}

// direct are the known direct subtypes of a class, whether a JVM could define them or not.
func (w *World) direct(name string) []string {
	out := slices.Clone(w.index.below[name])
	if w.before != nil {
		for _, sub := range w.before.direct(name) {
			if _, changed := w.changed[sub]; !changed {
				out = append(out, sub)
			}
		}
	}
	return out
}

// unread are the known classes that could not be read.
func (w *World) unread() []string {
	out := slices.Collect(maps.Keys(w.index.unread))
	if w.before != nil {
		for _, name := range w.before.unread() {
			if _, changed := w.changed[name]; !changed {
				out = append(out, name)
			}
		}
	}
	return out
}

// below adds classes and all their known subtypes to a set.
func (w *World) below(names []string, into map[string]bool) {
	for work := slices.Clone(names); len(work) > 0; {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		into[name] = true
		for _, sub := range w.direct(name) {
			if !into[sub] {
				work = append(work, sub)
			}
		}
	}
}

// Subtypes lists a class and its known subtypes, direct and indirect, by name.
func (w *World) Subtypes(name string) []string {
	all := map[string]bool{}
	w.below([]string{name}, all)
	return slices.Sorted(maps.Keys(all))
}
