package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store/segment"
)

// A Store is a set of segments on a backend.
type Store struct {
	// Passes is the number of passes of each test that are kept, the newest ones; 0 keeps all. Without older ones a test may run where it need not.
	Passes int

	back    Backend
	trouble error

	mu sync.Mutex
	// indexes are those of the last view: segments never change, and a command looks at the store several times.
	indexes map[digest.Digest]*segment.Index
}

// New returns the store that a backend keeps.
func New(back Backend) *Store { return &Store{back: back} }

// Trouble returns the last error in the store's own housekeeping. What was to be stored is stored all the same.
func (s *Store) Trouble() error { return s.trouble }

// Close releases the store.
func (s *Store) Close() error { return s.back.Close() }

// AddRun appends a run summary.
func (s *Store) AddRun(ctx context.Context, run Run) error { return s.back.AddRun(ctx, run) }

// Runs returns the newest run summaries, newest first, at most n of them.
func (s *Store) Runs(ctx context.Context, n int) ([]Run, error) { return s.back.Runs(ctx, n) }

// View opens a view of the present state.
func (s *Store) View(ctx context.Context) (*View, error) {
	back, err := s.back.View(ctx)
	if err != nil {
		return nil, err
	}
	v, err := s.open(back)
	if err != nil {
		return nil, errors.Join(err, back.Close())
	}
	return v, nil
}

func (s *Store) open(back BackendView) (*View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := openView(back, s.indexes)
	if err != nil {
		return nil, err
	}
	s.indexes = make(map[digest.Digest]*segment.Index, len(v.segs))
	for _, x := range v.segs {
		s.indexes[x.ID] = x
	}
	return v, nil
}

// Append stores a recording as a whole.
func (s *Store) Append(ctx context.Context, rec *rts.Recording) error {
	var w segment.Writer
	w.Add(rec)
	return s.Write(ctx, &w)
}

// Write stores what a writer has collected, as a whole, and then forgets passes that are old and merges small segments if there are many.
func (s *Store) Write(ctx context.Context, w *segment.Writer) error {
	if w.Empty() {
		return nil
	}
	if err := s.back.Replace(ctx, []*segment.Encoded{w.Encode()}, nil); err != nil {
		return err
	}
	// The recording is safe now. Merging only saves time later; if another process does it, or it cannot be done now, nothing is lost.
	if err := s.compact(ctx); err != nil && !errors.Is(err, ErrConflict) {
		s.trouble = fmt.Errorf("merging segments: %w", err)
	}
	return nil
}

const (
	// fanIn is the number of segments of about one size that are merged into one.
	fanIn = 6
	// heavy is the number of blocks from which on a segment is not merged with others: that would take longer than it saves.
	heavy = 256
)

// compact forgets old passes and merges segments, if there is reason to.
func (s *Store) compact(ctx context.Context) error {
	return s.rewrite(ctx, func(v *View) ([]digest.Digest, *segment.Encoded, error) { return v.tidy(s.Passes) })
}

// rewrite replaces the segments that f names by the one that f returns, if it returns one. The view is closed before anything is written,
// because a writer may have to wait for it.
func (s *Store) rewrite(ctx context.Context, f func(*View) ([]digest.Digest, *segment.Encoded, error)) error {
	v, err := s.View(ctx)
	if err != nil {
		return err
	}
	drop, merged, err := f(v)
	if err := errors.Join(err, v.Close()); err != nil || len(drop) == 0 {
		return err
	}
	if merged == nil {
		return s.back.Replace(ctx, nil, drop)
	}
	if len(drop) == 1 && drop[0] == merged.ID {
		return nil
	}
	return s.back.Replace(ctx, []*segment.Encoded{merged}, drop)
}

// tidy drops segments that have nothing but old passes, and merges what is left of those that have little else, or else fanIn segments of the same order of magnitude. Records that are no pass are never
// forgotten here: they may speak against one that stays (S4.3).
func (v *View) tidy(passes int) (drop []digest.Digest, merged *segment.Encoded, err error) {
	if len(v.segs) < 2 {
		return nil, nil, nil
	}
	old := v.oldPasses(passes)
	stay := make([]int, len(v.segs))
	v.Records(func(r Stored) {
		if !old[recordKey(r)] {
			stay[r.Ref.seg]++
		}
	})
	var join []int
	tiers := map[int][]int{}
	for i, x := range v.segs {
		switch {
		case len(x.Records) > 0 && stay[i] == 0:
			drop = append(drop, x.ID)
		case x.Blocks() < heavy:
			tier := magnitude(len(x.Records) + len(x.Inputs) + x.Blocks()*1000)
			tiers[tier] = append(tiers[tier], i)
		case stay[i]*4 < len(x.Records):
			join = append(join, i)
		}
	}
	for _, tier := range slices.Sorted(maps.Keys(tiers)) {
		if len(join) == 0 && len(tiers[tier]) >= fanIn {
			join = tiers[tier]
		}
	}
	if len(join) > 0 {
		var keep func(Stored) bool
		if len(old) > 0 {
			keep = func(r Stored) bool { return !old[recordKey(r)] }
		}
		merged, err = v.merge(join, keep)
	}
	for _, i := range join {
		drop = append(drop, v.segs[i].ID)
	}
	return drop, merged, err
}

// oldPasses are the passes of which the test has so many newer ones. An incomplete pass does not count among complete ones.
func (v *View) oldPasses(many int) map[recordID]bool {
	if many == 0 {
		return nil
	}
	type kind struct {
		test rts.TestID
		end  ending
	}
	of := map[kind][]Stored{}
	v.Records(func(r Stored) {
		if r.Outcome.Proves() {
			k := kind{r.Test, endingOf(r)}
			of[k] = append(of[k], r)
		}
	})
	old := map[recordID]bool{}
	for _, all := range of {
		if len(all) <= many {
			continue
		}
		slices.SortStableFunc(all, func(a, b Stored) int { return b.Meta.When.Compare(a.Meta.When) })
		for _, r := range all[many:] {
			old[recordKey(r)] = true
		}
	}
	return old
}

// magnitude is the logarithm of n to the base 8.
func magnitude(n int) int {
	m := 0
	for ; n >= 8; n /= 8 {
		m++
	}
	return m
}

// merge writes the content of the given segments as one. Footprints with equal content are stored once. If keep is not nil, only
// the records it admits are kept, with what they need.
func (v *View) merge(segs []int, keep func(Stored) bool) (*segment.Encoded, error) {
	m := &merger{view: v, known: map[digest.Digest]int{}, placed: map[FootprintRef]int{}, newest: map[statement]Stored{}}
	for _, r := range v.recordsOf(segs, keep) {
		if err := m.record(r); err != nil {
			return nil, err
		}
	}
	m.flush()
	if err := m.bodies(segs, keep != nil); err != nil {
		return nil, err
	}
	return m.out.Encode(), nil
}

// recordsOf returns the admitted records, oldest first.
func (v *View) recordsOf(segs []int, keep func(Stored) bool) []Stored {
	var all []Stored
	v.Records(func(r Stored) {
		if slices.Contains(segs, int(r.Ref.seg)) && (keep == nil || keep(r)) {
			all = append(all, r)
		}
	})
	slices.SortStableFunc(all, func(a, b Stored) int {
		return cmp.Or(a.Meta.When.Compare(b.Meta.When), cmp.Compare(a.Test, b.Test))
	})
	return all
}

// A merger copies footprints from a view to a writer.
type merger struct {
	view   *View
	out    segment.Writer
	known  map[digest.Digest]int // content of a footprint → its index in out
	placed map[FootprintRef]int
	used   map[digest.Digest]bool
	// newest is the last record of each statement (test, footprint, how it ended): repetitions add nothing.
	newest map[statement]Stored
}

type statement struct {
	test       rts.TestID
	footprint  int
	outcome    rts.Outcome
	incomplete bool
	result     digest.Digest
}

// record takes a record over; records come oldest first.
func (m *merger) record(r Stored) error {
	n, err := m.place(r.Ref)
	if err != nil {
		return err
	}
	m.newest[statement{r.Test, n, r.Outcome, r.Incomplete, r.Result}] = r
	return nil
}

// flush writes the records in an order that depends on their content alone.
func (m *merger) flush() {
	all := slices.Collect(maps.Keys(m.newest))
	slices.SortFunc(all, func(a, b statement) int {
		return cmp.Or(cmp.Compare(a.test, b.test), cmp.Compare(a.footprint, b.footprint), cmp.Compare(a.outcome, b.outcome),
			bytes.Compare(a.result[:], b.result[:]), compareBool(a.incomplete, b.incomplete))
	})
	for _, st := range all {
		r := m.newest[st]
		rec := r.Record
		rec.Footprint = st.footprint
		m.out.Record(rec, m.out.Meta(r.Meta))
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// place copies a footprint after everything it includes, and returns its index.
func (m *merger) place(ref FootprintRef) (int, error) {
	if n, ok := m.placed[ref]; ok {
		return n, nil
	}
	label, includes := m.view.Includes(ref)
	f := rts.Footprint{Label: label}
	for _, inc := range includes {
		n, err := m.place(inc) // as deep as footprints are nested, which is a handful
		if err != nil {
			return 0, err
		}
		f.Includes = append(f.Includes, n)
	}
	uses, err := m.view.Uses(ref)
	if err != nil {
		return 0, err
	}
	f.Uses = uses
	key := f.Content()
	n, ok := m.known[key]
	if !ok {
		n = m.out.Footprint(f)
		m.known[key] = n
		m.note(uses)
	}
	m.placed[ref] = n
	return n, nil
}

func (m *merger) note(uses []rts.Use) {
	if m.used == nil {
		m.used = map[digest.Digest]bool{}
	}
	for _, u := range uses {
		m.used[u.Digest] = true
	}
}

// bodies copies the bodies; if only is set, those that a kept use refers to.
func (m *merger) bodies(segs []int, only bool) error {
	for _, s := range segs {
		x := m.view.segs[s]
		for _, d := range x.Bodies() {
			if only && !m.used[d] {
				continue
			}
			b, _, err := x.Body(d, m.view.block(int32(s)))
			if err != nil {
				return err
			}
			m.out.Body(d, slices.Clone(b))
		}
	}
	return nil
}

// GC keeps, for every test that keep names, the newest records groups at most; records of the same inputs form a group, and of a
// group the newest record of each outcome stays, so that a disagreement is never forgotten halfway (S4.3).
// A nil keep keeps every test.
func (s *Store) GC(ctx context.Context, groups int, keep func(rts.TestID) bool) (dropped int, err error) {
	err = s.rewrite(ctx, func(v *View) ([]digest.Digest, *segment.Encoded, error) {
		kept, n, err := v.survivors(groups, keep)
		if err != nil {
			return nil, nil, err
		}
		dropped = n
		segs := make([]int, len(v.segs))
		drop := make([]digest.Digest, len(v.segs))
		for i, x := range v.segs {
			segs[i], drop[i] = i, x.ID
		}
		merged, err := v.merge(segs, func(r Stored) bool { return kept[recordKey(r)] })
		return drop, merged, err
	})
	return dropped, err
}

// Drop forgets records.
func (s *Store) Drop(ctx context.Context, gone func(Stored) bool) error {
	return s.rewrite(ctx, func(v *View) (drop []digest.Digest, merged *segment.Encoded, err error) {
		hit := map[int]bool{}
		v.Records(func(r Stored) { hit[int(r.Ref.seg)] = hit[int(r.Ref.seg)] || gone(r) })
		var segs []int
		for i, x := range v.segs {
			if hit[i] {
				segs, drop = append(segs, i), append(drop, x.ID)
			}
		}
		if len(segs) > 0 {
			merged, err = v.merge(segs, func(r Stored) bool { return !gone(r) })
		}
		return drop, merged, err
	})
}

type recordID struct {
	ref  FootprintRef
	test rts.TestID
	end  ending
	when int64
}

func recordKey(r Stored) recordID {
	return recordID{r.Ref, r.Test, endingOf(r), r.Meta.When.UnixMilli()}
}

func (v *View) survivors(groups int, keep func(rts.TestID) bool) (map[recordID]bool, int, error) {
	byTest := map[rts.TestID][]Stored{}
	v.Records(func(r Stored) { byTest[r.Test] = append(byTest[r.Test], r) })
	kept, total := map[recordID]bool{}, 0
	for test, recs := range byTest {
		total += len(recs)
		if keep != nil && !keep(test) {
			continue
		}
		if err := v.newestGroups(recs, groups, kept); err != nil {
			return nil, 0, err
		}
	}
	return kept, total - len(kept), nil
}

func (v *View) newestGroups(recs []Stored, groups int, kept map[recordID]bool) error {
	slices.SortStableFunc(recs, func(a, b Stored) int { return b.Meta.When.Compare(a.Meta.When) })
	outcomes := map[digest.Digest]map[ending]bool{}
	old := map[digest.Digest]map[ending]bool{}
	var passes, against []testified
	for _, r := range recs {
		uses, err := v.AllUses(r.Ref)
		if err != nil {
			return err
		}
		f := rts.Footprint{Uses: uses}
		inputs := f.Content()
		young := outcomes[inputs] != nil || len(outcomes) < groups
		if !young && !r.Outcome.Proves() && first(old, inputs, endingOf(r)) {
			against = append(against, testified{r, uses})
		}
		if !young || !first(outcomes, inputs, endingOf(r)) {
			continue
		}
		kept[recordKey(r)] = true
		if r.Outcome.Proves() {
			passes = append(passes, testified{r, uses})
		}
	}
	keepAgainst(passes, against, kept)
	return nil
}

// An ending is how a record ended. An incomplete record says less than a complete one, so neither stands for the other.
type ending struct {
	outcome    rts.Outcome
	incomplete bool
}

func endingOf(r Stored) ending { return ending{r.Outcome, r.Incomplete} }

// first notes an ending of a group, and reports whether it was not noted before.
func first(groups map[digest.Digest]map[ending]bool, inputs digest.Digest, e ending) bool {
	if groups[inputs] == nil {
		groups[inputs] = map[ending]bool{}
	}
	known := groups[inputs][e]
	groups[inputs][e] = true
	return !known
}

// A testified is a record with all its uses.
type testified struct {
	Stored
	uses []rts.Use
}

// keepAgainst keeps the records that are no pass, although their groups are old, if their inputs can hold together with
// those of a pass that stays: without them the pass would become a proof where it was none (S4.3).
func keepAgainst(passes, against []testified, kept map[recordID]bool) {
	for _, bad := range against {
		if slices.ContainsFunc(passes, func(p testified) bool { return compatible(p.uses, bad.uses) }) {
			kept[recordKey(bad.Stored)] = true
		}
	}
}

// compatible reports whether no entity has different digests in two sorted lists of uses.
func compatible(a, b []rts.Use) bool {
	for len(a) > 0 && len(b) > 0 {
		switch c := a[0].Entity.Compare(b[0].Entity); {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		case a[0].Digest != b[0].Digest:
			return false
		default:
			a, b = a[1:], b[1:]
		}
	}
	return true
}
