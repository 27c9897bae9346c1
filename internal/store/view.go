package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store/segment"
)

// A View is one state of a store, open for questions. It must be closed, and not be kept open while tests run:
// a writer may have to wait for it.
type View struct {
	back BackendView
	segs []*segment.Index
	// blocks holds some blocks that were read last: neighbours are often asked for next.
	blocks     map[blockRef][]byte
	includedBy [][][]uint32
	// reached has, by segment and footprint, the walk of Closure that met it last, counted from 1.
	reached [][]uint32
	walk    uint32
	// counters are by segment.
	counters []*counter
}

type blockRef struct {
	seg int32
	n   int
}

// keptBlocks is how many blocks a view keeps: those of a footprint and of what it includes.
const keptBlocks = 16

// A FootprintRef names a footprint in a view.
type FootprintRef struct{ seg, n int32 }

// A FootprintName names a footprint in all views of which the store has its segment.
type FootprintName struct {
	segment digest.Digest
	n       int32
}

// An InputRef names a distinct recorded input in a view.
type InputRef struct{ seg, n int32 }

// A Stored is a record as a view knows it.
type Stored struct {
	rts.Record
	Meta rts.Meta
	Ref  FootprintRef
}

// openView opens a view. An index that is known is not read again.
func openView(back BackendView, known map[digest.Digest]*segment.Index) (*View, error) {
	ids, err := back.Segments()
	if err != nil {
		return nil, err
	}
	v := &View{back: back, blocks: map[blockRef][]byte{}}
	for _, id := range ids {
		x := known[id]
		if x == nil {
			if x, err = readIndex(back, id); err != nil {
				return nil, err
			}
		}
		v.segs = append(v.segs, x)
	}
	v.includedBy = make([][][]uint32, len(v.segs))
	v.reached, v.counters = make([][]uint32, len(v.segs)), make([]*counter, len(v.segs))
	return v, nil
}

func readIndex(back BackendView, id digest.Digest) (*segment.Index, error) {
	raw, err := back.Index(id)
	if err != nil {
		return nil, err
	}
	x, err := segment.Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("segment %s: %w", id.Short(), err)
	}
	if x.ID != id {
		return nil, fmt.Errorf("segment %s: %w: it has the content of %s", id.Short(), ErrCorrupt, x.ID.Short())
	}
	return x, nil
}

// Close releases the view.
func (v *View) Close() error { return v.back.Close() }

func (v *View) block(seg int32) segment.BlockFunc {
	return func(n int) ([]byte, error) {
		ref := blockRef{seg, n}
		if b, ok := v.blocks[ref]; ok {
			return b, nil
		}
		b, err := v.back.Block(v.segs[seg].ID, n)
		if err != nil {
			return nil, fmt.Errorf("segment %s: %w", v.segs[seg].ID.Short(), err)
		}
		if len(v.blocks) == keptBlocks {
			clear(v.blocks)
		}
		v.blocks[ref] = b
		return b, nil
	}
}

// Stale calls f for every distinct recorded input whose entity does not have the recorded digest in snap, in a fixed order. What a
// partial snapshot does not concern is passed over.
func (v *View) Stale(snap rts.Snapshot, f func(ref InputRef, in segment.Input, now digest.Digest)) {
	concerns := func(rts.Entity) bool { return true }
	if p, ok := snap.(rts.Partial); ok {
		concerns = p.Concerns
	}
	for s, x := range v.segs {
		var entity rts.Entity
		var now digest.Digest
		compared := true
		for i, in := range x.Inputs {
			// Inputs are sorted, so the versions of one entity are neighbours and the snapshot is asked once.
			if i == 0 || in.Entity != entity {
				entity = in.Entity
				if compared = concerns(entity); compared {
					now = snap.Digest(entity)
				}
			}
			if compared && !in.Digest.Same(now) {
				f(InputRef{int32(s), int32(i)}, in, now)
			}
		}
	}
}

// Inputs calls f for every recorded version of the given entity.
func (v *View) Inputs(e rts.Entity, f func(ref InputRef, d digest.Digest)) {
	for s, x := range v.segs {
		i, _ := slices.BinarySearchFunc(x.Inputs, e, func(in segment.Input, e rts.Entity) int { return in.Entity.Compare(e) })
		for ; i < len(x.Inputs) && x.Inputs[i].Entity == e; i++ {
			f(InputRef{int32(s), int32(i)}, x.Inputs[i].Digest)
		}
	}
}

// Input returns an input.
func (v *View) Input(ref InputRef) segment.Input { return v.segs[ref.seg].Inputs[ref.n] }

// Entities calls f for every distinct recorded entity of every segment; an entity may come more than once.
func (v *View) Entities(f func(e rts.Entity)) {
	for _, x := range v.segs {
		for i, in := range x.Inputs {
			if i == 0 || in.Entity != x.Inputs[i-1].Entity {
				f(in.Entity)
			}
		}
	}
}

// Owners returns the footprints that use the input themselves.
func (v *View) Owners(ref InputRef) ([]FootprintRef, error) {
	ids, err := v.segs[ref.seg].Owners(int(ref.n), v.block(ref.seg))
	if err != nil {
		return nil, err
	}
	owners := make([]FootprintRef, len(ids))
	for i, id := range ids {
		owners[i] = FootprintRef{ref.seg, int32(id)}
	}
	return owners, nil
}

// IncludedBy returns the footprints that include the given one directly.
func (v *View) IncludedBy(ref FootprintRef) []FootprintRef {
	inv := v.includedBy[ref.seg]
	if inv == nil {
		x := v.segs[ref.seg]
		inv = make([][]uint32, len(x.Footprints))
		for f := range x.Footprints {
			for _, inc := range x.Footprints[f].Includes {
				inv[inc] = append(inv[inc], uint32(f))
			}
		}
		v.includedBy[ref.seg] = inv
	}
	users := make([]FootprintRef, len(inv[ref.n]))
	for i, f := range inv[ref.n] {
		users[i] = FootprintRef{ref.seg, int32(f)}
	}
	return users
}

// Name returns the name of a footprint.
func (v *View) Name(ref FootprintRef) FootprintName { return FootprintName{v.segs[ref.seg].ID, ref.n} }

// Compare orders footprints as they are stored: who asks in this order has each block read once.
func (f FootprintRef) Compare(g FootprintRef) int {
	return cmp.Or(cmp.Compare(f.seg, g.seg), cmp.Compare(f.n, g.n))
}

// A FootprintSet is a set of footprints of a view.
type FootprintSet struct{ has [][]bool }

// NewSet returns an empty set.
func (v *View) NewSet() *FootprintSet {
	s := &FootprintSet{make([][]bool, len(v.segs))}
	for i, x := range v.segs {
		s.has[i] = make([]bool, len(x.Footprints))
	}
	return s
}

// Has tells whether a footprint is in the set.
func (s *FootprintSet) Has(f FootprintRef) bool { return s.has[f.seg][f.n] }

// Add adds a footprint, and tells whether it was not there.
func (s *FootprintSet) Add(f FootprintRef) bool {
	fresh := !s.Has(f)
	s.has[f.seg][f.n] = true
	return fresh
}

// Label returns the label of a footprint.
func (v *View) Label(ref FootprintRef) string { return v.segs[ref.seg].Footprints[ref.n].Label }

// Includes returns the footprints that the given one includes directly, and its label.
func (v *View) Includes(ref FootprintRef) (label string, refs []FootprintRef) {
	info := v.segs[ref.seg].Footprints[ref.n]
	for _, f := range info.Includes {
		refs = append(refs, FootprintRef{ref.seg, int32(f)})
	}
	return info.Label, refs
}

// Closure calls f for the footprint and everything it includes, each once, the footprint itself first. f must not call it.
func (v *View) Closure(ref FootprintRef, f func(FootprintRef)) {
	v.Within(ref, func(g FootprintRef) bool {
		f(g)
		return true
	})
}

// Within is like Closure, but does not go on to what a footprint includes for which f returns false.
func (v *View) Within(ref FootprintRef, f func(FootprintRef) bool) {
	info := v.segs[ref.seg].Footprints
	if len(info[ref.n].Includes) == 0 {
		f(ref)
		return
	}
	v.walk++
	if v.reached[ref.seg] == nil {
		v.reached[ref.seg] = make([]uint32, len(info))
	}
	seen := v.reached[ref.seg]
	seen[ref.n] = v.walk
	stack := []uint32{uint32(ref.n)}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !f(FootprintRef{ref.seg, int32(n)}) {
			continue
		}
		for _, inc := range info[n].Includes {
			if seen[inc] != v.walk {
				seen[inc] = v.walk
				stack = append(stack, inc)
			}
		}
	}
}

// Uses returns the uses of one footprint, without those of the footprints it includes.
func (v *View) Uses(ref FootprintRef) ([]rts.Use, error) {
	x := v.segs[ref.seg]
	refs, err := x.Uses(int(ref.n), v.block(ref.seg))
	if err != nil {
		return nil, err
	}
	uses := make([]rts.Use, len(refs))
	for i, u := range refs {
		uses[i] = x.Use(u)
	}
	return uses, nil
}

// Entries returns the entries of some uses of one footprint, nil for a use that is not narrowed. The uses are given by their inputs, in the order of Stale; the footprint is
// among the Owners of each.
func (v *View) Entries(ref FootprintRef, inputs []InputRef) ([][]uint32, error) {
	ids := make([]int, len(inputs))
	for i, in := range inputs {
		ids[i] = int(in.n)
	}
	return v.segs[ref.seg].Entries(int(ref.n), ids, v.block(ref.seg))
}

// AllUses returns the uses of a footprint and of everything it includes, sorted.
func (v *View) AllUses(ref FootprintRef) ([]rts.Use, error) {
	var all []rts.Use
	var failed error
	v.Closure(ref, func(f FootprintRef) {
		uses, err := v.Uses(f)
		if err != nil && failed == nil {
			failed = err
		}
		all = append(all, uses...)
	})
	if failed != nil {
		return nil, failed
	}
	return rts.SortUses(all), nil
}

// CountUses returns the number of uses of a footprint and of everything it includes. Many are counted faster in the order of Compare.
func (v *View) CountUses(ref FootprintRef) int {
	x := v.segs[ref.seg]
	return x.Total(int(ref.n), func() int {
		if v.counters[ref.seg] == nil {
			v.counters[ref.seg] = newCounter(v, ref.seg)
		}
		return v.counters[ref.seg].count(int(ref.n))
	})
}

// Records calls f for every record.
func (v *View) Records(f func(Stored)) {
	for s, x := range v.segs {
		for _, r := range x.Records {
			f(Stored{r.Record, x.Metas[r.Meta], FootprintRef{int32(s), int32(r.Footprint)}})
		}
	}
}

// Tests returns the tests that have records, sorted.
func (v *View) Tests() []rts.TestID {
	var all []rts.TestID
	for _, x := range v.segs {
		all = append(all, x.Tests...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Body returns the body with the given digest, and whether the store has it.
func (v *View) Body(d digest.Digest) ([]byte, bool, error) {
	for s := len(v.segs) - 1; s >= 0; s-- {
		if b, ok, err := v.segs[s].Body(d, v.block(int32(s))); ok || err != nil {
			return b, ok, err
		}
	}
	return nil, false, nil
}

// Stat describes the content of a store.
type Stat struct {
	Segments, Tests, Records, Inputs int
	// Dependencies is the number of uses, counted once for each record that has them, shared or not.
	Dependencies int
	// Stored is the number of uses that are stored, shared ones once.
	Stored int
	// Bytes is the size of all segments.
	Bytes int64
}

// Stat returns figures about the view.
func (v *View) Stat() (Stat, error) {
	var st Stat
	tests := map[rts.TestID]bool{}
	for s, x := range v.segs {
		st.Segments++
		st.Records += len(x.Records)
		st.Inputs += len(x.Inputs)
		for _, t := range x.Tests {
			tests[t] = true
		}
		for _, f := range x.Footprints {
			st.Stored += f.Uses
		}
		var all []FootprintRef
		for _, r := range x.Records {
			all = append(all, FootprintRef{int32(s), int32(r.Footprint)})
		}
		slices.SortFunc(all, FootprintRef.Compare)
		for _, ref := range all {
			st.Dependencies += v.CountUses(ref)
		}
		n, err := v.segmentBytes(s)
		if err != nil {
			return Stat{}, err
		}
		st.Bytes += n
	}
	st.Tests = len(tests)
	return st, nil
}

func (v *View) segmentBytes(s int) (int64, error) {
	x := v.segs[s]
	raw, err := v.back.Index(x.ID)
	if err != nil {
		return 0, err
	}
	n := int64(len(raw))
	for i := range x.Blocks() {
		b, err := v.back.Block(x.ID, i)
		if err != nil {
			return 0, err
		}
		n += int64(len(b))
	}
	return n, nil
}

// Verify reads everything and reports the first damage.
func (v *View) Verify(ctx context.Context) error {
	for s, x := range v.segs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := x.Verify(v.block(int32(s))); err != nil {
			return fmt.Errorf("segment %s: %w", x.ID.Short(), err)
		}
	}
	return nil
}

// Durations returns the newest recorded duration of every test.
func (v *View) Durations() map[rts.TestID]time.Duration {
	when := map[rts.TestID]time.Time{}
	durations := map[rts.TestID]time.Duration{}
	v.Records(func(r Stored) {
		if t, ok := when[r.Test]; !ok || !r.Meta.When.Before(t) {
			when[r.Test], durations[r.Test] = r.Meta.When, r.Duration
		}
	})
	return durations
}

// Users returns a function that calls f for every test whose newest record has the given entity, itself or through what it includes. A test may be told several times.
func (v *View) Users() func(e rts.Entity, f func(rts.TestID)) error {
	newest := map[rts.TestID]Stored{}
	v.Records(func(r Stored) {
		if last, ok := newest[r.Test]; !ok || !r.Meta.When.Before(last.Meta.When) {
			newest[r.Test] = r
		}
	})
	return v.usersIn(slices.Collect(maps.Values(newest)))
}

// UsersAmong is like Users, for all records that count and not only the newest of each test: a test may be left out on an older one.
func (v *View) UsersAmong(counts func(Stored) bool) func(e rts.Entity, f func(rts.TestID)) error {
	var all []Stored
	v.Records(func(r Stored) {
		if counts(r) {
			all = append(all, r)
		}
	})
	return v.usersIn(all)
}

// usersIn goes up from all footprints that use an entity at once: thousands may, and most of them are included by the same ones.
func (v *View) usersIn(records []Stored) func(e rts.Entity, f func(rts.TestID)) error {
	byFootprint := map[FootprintRef][]rts.TestID{}
	for _, r := range records {
		byFootprint[r.Ref] = append(byFootprint[r.Ref], r.Test)
	}
	return func(e rts.Entity, f func(rts.TestID)) error {
		owners, err := v.Having(e)
		v.Climb(owners, func(at FootprintRef) bool {
			for _, t := range byFootprint[at] {
				f(t)
			}
			return true
		})
		return err
	}
}

// Having returns the footprints that use an entity themselves, in any version.
func (v *View) Having(e rts.Entity) (out []FootprintRef, err error) {
	v.Inputs(e, func(ref InputRef, _ digest.Digest) {
		owners, failed := v.Owners(ref)
		out, err = append(out, owners...), errors.Join(err, failed)
	})
	return out, err
}

// Climb calls visit for footprints, for those that include one of them, and so on, each once; not for those that include only such of which visit says no.
func (v *View) Climb(from []FootprintRef, visit func(FootprintRef) bool) {
	seen := v.NewSet()
	var todo []FootprintRef
	reach := func(refs []FootprintRef) {
		for _, ref := range refs {
			if seen.Add(ref) {
				todo = append(todo, ref)
			}
		}
	}
	for reach(from); len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if visit(at) {
			reach(v.IncludedBy(at))
		}
	}
}
