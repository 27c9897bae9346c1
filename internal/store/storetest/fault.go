package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"winnow/internal/digest"
	"winnow/internal/store"
	"winnow/internal/store/segment"
)

// A Part is a part of a store that can be damaged.
type Part int

const (
	// List is the list of segments: it cannot be trusted any more.
	List Part = iota
	// Index, Suspects and Block are the parts of a segment.
	Index
	Suspects
	Block
	// Row is the segment as a whole but for its suspects, which lie elsewhere.
	Row
	parts
)

// A Fault is one damage. A part that is not flipped is missing.
type Fault struct {
	Part Part
	// Segment is the place of the segment in the list.
	Segment int
	// Block is the number of the block, if Part is Block.
	Block int
	// Flip, if not 0, is the pattern that the byte at the place At (modulo the length) is changed by.
	Flip byte
	At   int
}

// RandomFault makes up a fault in a store with the given number of segments.
func RandomFault(r *rand.Rand, segments int) Fault {
	f := Fault{Part: Part(r.IntN(int(parts))), Segment: r.IntN(max(segments, 1)), Block: r.IntN(3)}
	if r.IntN(2) == 0 {
		f.Flip, f.At = 1<<r.IntN(8), r.IntN(1<<20)
	}
	return f
}

// A Faulty is a backend with damage that nobody has noticed yet.
type Faulty struct {
	store.Backend
	Faults []Fault
}

// View returns a damaged view.
func (b Faulty) View(ctx context.Context) (store.BackendView, error) {
	v, err := b.Backend.View(ctx)
	if err != nil {
		return nil, err
	}
	return Damage(v, b.Faults...), nil
}

// Damage returns a view with the given faults.
func Damage(v store.BackendView, faults ...Fault) store.BackendView { return &faultyView{v, faults} }

type faultyView struct {
	store.BackendView
	faults []Fault
}

func (v *faultyView) Segments() ([]digest.Digest, error) {
	for _, f := range v.faults {
		if f.Part == List {
			return nil, fmt.Errorf("%w: list of segments", store.ErrCorrupt)
		}
	}
	return v.BackendView.Segments()
}

func (v *faultyView) Index(id digest.Digest) ([]byte, error) {
	b, err := v.BackendView.Index(id)
	return v.hurt(b, err, id, Index, 0)
}

func (v *faultyView) Suspects(id digest.Digest) ([]byte, error) {
	b, err := v.BackendView.Suspects(id)
	return v.hurt(b, err, id, Suspects, 0)
}

func (v *faultyView) Block(id digest.Digest, n int) ([]byte, error) {
	b, err := v.BackendView.Block(id, n)
	return v.hurt(b, err, id, Block, n)
}

// hurt applies the faults to one part.
func (v *faultyView) hurt(b []byte, err error, id digest.Digest, part Part, n int) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	ids, err := v.BackendView.Segments()
	if err != nil {
		return nil, err
	}
	b = bytes.Clone(b)
	for _, f := range v.faults {
		if f.Segment >= len(ids) || ids[f.Segment] != id || !f.hits(part, n) {
			continue
		}
		if f.Flip == 0 || f.Part == Row || len(b) == 0 {
			return nil, fmt.Errorf("%w: a part of segment %s is missing", store.ErrCorrupt, id.Short())
		}
		b[f.At%len(b)] ^= f.Flip
	}
	return b, nil
}

func (f Fault) hits(part Part, n int) bool {
	return (f.Part == part && (part != Block || f.Block == n)) || (f.Part == Row && part != Suspects)
}

// damages tells which segments a list of faults touches, and whether their suspects are whole.
func damages(v store.BackendView, faults []Fault) (lost map[digest.Digest]bool, suspectsWhole bool, err error) {
	ids, err := v.Segments()
	if err != nil {
		return nil, false, err
	}
	lost, suspectsWhole = map[digest.Digest]bool{}, true
	for _, f := range faults {
		suspectsWhole = suspectsWhole && f.Part != Suspects && f.Part != List
		if f.Part == List || f.Segment >= len(ids) {
			continue
		}
		if _, err := v.Block(ids[f.Segment], f.Block); f.Part == Block && errors.Is(err, store.ErrCorrupt) {
			continue // there is no such block to be damaged
		}
		lost[ids[f.Segment]] = true
	}
	return lost, suspectsWhole, nil
}

// suspectsIn returns the tests on the lists of the given segments.
func suspectsIn(v store.BackendView, lost map[digest.Digest]bool) (map[string]bool, error) {
	all := map[string]bool{}
	for id := range lost {
		raw, err := v.Suspects(id)
		if err != nil {
			return nil, err
		}
		tests, err := segment.DecodeSuspects(raw)
		if err != nil {
			return nil, err
		}
		for _, t := range tests {
			all[t] = true
		}
	}
	return all, nil
}
