package technique

import (
	"fmt"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

// A Danger is what differs between two versions of a body.
type Danger struct {
	// Whole means that every test which used the body is affected; Why says so in words.
	Whole bool
	Why   string
	// Entries are the entries of the old body that a test must not have covered, each with the way to the difference.
	Entries []uint32
	Paths   map[uint32][]string
}

// Add adds an entry; the first path to it is kept.
func (d *Danger) Add(entry uint32, path []string) {
	if d.Paths == nil {
		d.Paths = map[uint32][]string{}
	}
	if _, known := d.Paths[entry]; !known {
		d.Entries = append(d.Entries, entry)
		d.Paths[entry] = path
	}
}

// Local is the judge of techniques that decide about each body by itself: it compares a recorded body with the present one, each pair of
// versions once, and asks whether a trace covered what differs.
type Local struct {
	// Now returns the present body of an entity, and whether it has one.
	Now func(rts.Entity) ([]byte, bool)
	Old Bodies
	// Compare finds what differs between two bodies.
	Compare func(old, new []byte) (*Danger, error)
	// Harmless is the argument for a difference that was not covered.
	Harmless string
	Rules    safety.Rules

	known map[version]*Danger
}

type version struct {
	entity rts.Entity
	old    digest.Digest
}

var _ Judge = (*Local)(nil)

// Judge returns a reason for each difference that the trace covers.
func (l *Local) Judge(t Trace) (reasons []rts.Reason, harmless []rts.Difference, err error) {
	for _, s := range t.Stale {
		d, err := l.danger(s)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.Use.Entity, err)
		}
		if r, hit := d.covered(s); hit {
			reasons = append(reasons, r)
		} else {
			harmless = append(harmless, rts.Difference{Entity: s.Use.Entity, Why: l.Harmless})
		}
	}
	return reasons, harmless, nil
}

// covered tells whether a use is touched by the danger.
func (d *Danger) covered(s Stale) (rts.Reason, bool) {
	r := s.Reason()
	if d.Whole || s.Use.Entries == nil {
		r.Detail = d.Why
		return r, true
	}
	for _, e := range d.Entries {
		if _, ok := slices.BinarySearch(s.Use.Entries, e); ok {
			r.Path = append(r.Path, d.Paths[e]...)
			return r, true
		}
	}
	return rts.Reason{}, false
}

func (l *Local) danger(s Stale) (*Danger, error) {
	key := version{s.Use.Entity, s.Use.Digest}
	if d, ok := l.known[key]; ok {
		return d, nil
	}
	d, err := l.versions(s)
	if err != nil {
		return nil, err
	}
	if l.known == nil {
		l.known = map[version]*Danger{}
	}
	l.known[key] = d
	return d, nil
}

// versions finds the two bodies and compares them. If either is missing the whole entity counts as changed (S2.1).
func (l *Local) versions(s Stale) (*Danger, error) {
	now, ok := l.Now(s.Use.Entity)
	if !ok {
		return &Danger{Whole: true}, nil
	}
	before, ok, err := l.Old.Body(s.Use.Digest)
	if err != nil {
		return nil, err
	}
	if !ok {
		return &Danger{Whole: l.Rules.Hold(safety.MissingBodyIsWhole), Why: "its recorded body is not known"}, nil
	}
	return l.Compare(before, now)
}
