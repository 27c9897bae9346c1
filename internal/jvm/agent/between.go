package agent

import (
	"maps"
	"math"
	"slices"
)

// What happens before the first class of Jupiter, between its classes, and after the last one.

// A gap is the segments since the end of a top-level class of Jupiter, or the begin of the engine, as long as nothing else began.
type gap struct {
	engine, before *state // before is the class, the engine if there was none
	first          int
	prepared       int // where the next class is prepared, if that is known
}

// prelude gives a node the segments before it. In a thread that had no boundary yet, they start where its parent began; a node without a parent has the
// process for that.
func (a *attribution) prelude(s *state, thread uint64) {
	from, ok := a.threads[thread]
	if !ok {
		from = len(a.segments)
		if s.parent != nil {
			from = s.parent.from
		}
	}
	to := s.Own
	if s.isTest() && !to.begun() && (s.Before != nil || amount(a.segments[from:]) >= much) {
		if s.Before == nil {
			s.Before = newFootprint(s.Key + "/before")
		}
		to = s.Before
	}
	for _, piece := range a.segments[from:] {
		to.add(piece)
	}
	s.from = len(a.segments)
	if a.gap == nil {
		return
	}
	for i, piece := range a.segments[a.gap.first:] {
		switch {
		case s.parent != a.gap.engine || a.many:
			a.gap.engine.Own.add(piece)
		case a.gap.first+i < a.gap.prepared:
			a.gap.before.Own.add(piece)
		}
	}
	a.gap = nil
}

// much is the number of methods from which on what happened before a test has a footprint of its own. The object of an ordinary test takes less, and a footprint for each would be large.
const much = 256

// amount is the number of methods that were entered in segments.
func amount(segments []piece) int {
	n := 0
	for _, p := range segments {
		n += len(p.methods)
	}
	return n
}

// begun tells whether there is something in a footprint: the test goes on with that of the invocation before.
func (f *Footprint) begun() bool { return len(f.Methods) > 0 || len(f.events) > 0 || f.settled }

// openGap comes at the end of a node: it ends the gap that was, and starts one after a top-level class.
func (a *attribution) openGap(s *state) {
	if a.gap != nil && a.gap.engine == s && a.gap.before != s { // what extensions left in JUnit's stores is closed here, as the process ends
		a.closeGap(a.ending())
	} else if a.gap != nil {
		a.closeGap(a.gap.engine.Own)
	}
	if s.parent != nil && s.parent.running && s.parent.inside == 0 && jupiter(s.parent) {
		a.gap = &gap{engine: s.parent, before: s, first: len(a.segments), prepared: math.MaxInt}
	}
}

// openFirst starts the gap before the first class.
func (a *attribution) openFirst(s *state) {
	if jupiter(s) {
		a.gap = &gap{engine: s, before: s, first: len(a.segments), prepared: math.MaxInt}
	}
}

func jupiter(s *state) bool { return s.Kind&IsRoot != 0 && s.Key == "[engine:junit-jupiter]" }

// closeGap gives a gap that nothing began in to a footprint.
func (a *attribution) closeGap(to *Footprint) {
	for _, piece := range a.segments[a.gap.first:] {
		to.add(piece)
	}
	a.gap = nil
}

// ending is the footprint of the end of the process, which begins now if it did not before.
func (a *attribution) ending() *Footprint {
	if a.closing == nil {
		a.closing = newFootprint("closing")
	}
	return a.closing
}

// reopen gives what was taken for the end to the process: a node begins.
func (a *attribution) reopen() {
	if a.closing == nil {
		return
	}
	a.trace.Process.join(a.closing)
	for e := range a.closing.events {
		delete(a.trace.Process.Early, e)
	}
	a.closing = nil
}

// join adds what another footprint has.
func (f *Footprint) join(g *Footprint) {
	f.add(piece{g.Methods, g.Edges, slices.Collect(maps.Keys(g.events)), details{slices.Collect(maps.Keys(g.receivers)), slices.Collect(maps.Keys(g.reflective)), slices.Collect(maps.Keys(g.changed))}})
}
