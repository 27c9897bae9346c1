package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/store"
	"winnow/internal/store/segment"
)

// An Opener makes a new, empty backend, which the suite closes.
type Opener func(t *testing.T) store.Backend

// Run checks a backend.
func Run(t *testing.T, open func(t *testing.T) store.Backend) {
	o := Opener(open)
	t.Run("Replace", o.testReplace)
	t.Run("MissingParts", o.testMissingParts)
	t.Run("ViewIsOneState", o.testViewIsOneState)
	t.Run("Runs", o.testRuns)
	t.Run("Answers", o.testAnswers)
	t.Run("EqualHistoriesEqualSegments", o.testEqualSegments)
	t.Run("Merge", o.testMerge)
	t.Run("Export", o.testExport)
	t.Run("DamagedExport", o.testDamagedExport)
	t.Run("GC", o.testGC)
	t.Run("ConcurrentAppends", o.testConcurrentAppends)
	t.Run("DamageIsSeen", o.testDamageIsSeen)
	t.Run("Rescue", o.testRescue)
}

// opened runs f with new stores and closes them.
func (o Opener) opened(t *testing.T, n int, f func(stores []*store.Store) error) (err error) {
	var all []*store.Store
	for range n {
		all = append(all, store.New(o(t)))
	}
	defer func() {
		for _, s := range all {
			err = errors.Join(err, s.Close())
		}
	}()
	return f(all)
}

func appendAll(s *store.Store, h History) error {
	for _, rec := range h {
		if err := s.Append(context.Background(), rec); err != nil {
			return err
		}
	}
	return nil
}

// read runs f with a view of the present state.
func read(s *store.Store, f func(v *store.View) error) error {
	v, err := s.View(context.Background())
	if err != nil {
		return err
	}
	return errors.Join(f(v), v.Close())
}

// expect compares the answers of a store with those of the model.
func expect(s *store.Store, h History, snap snapshot) error {
	return read(s, func(v *store.View) error {
		got, err := viewAnswers(v, snap, h.bodies())
		if err != nil {
			return err
		}
		if d := difference(got, h.answers(snap)); d != "" {
			return errors.New(d)
		}
		return v.Verify(context.Background())
	})
}

func statements(s *store.Store) (all []Statement, err error) {
	err = read(s, func(v *store.View) (err error) {
		all, err = Statements(v)
		return err
	})
	return all, err
}

// encoded returns some segments with different contents.
func encoded(n int) []*segment.Encoded {
	var all []*segment.Encoded
	for i := range n {
		var w segment.Writer
		w.Add(NewHistory(rand.New(rand.NewPCG(uint64(i), 9)), 1)[0])
		w.Body(digest.OfString(fmt.Sprint(i)), bytes.Repeat([]byte{byte(i)}, 40_000))
		w.Body(digest.OfString(fmt.Sprint("other", i)), []byte{byte(i)})
		all = append(all, w.Encode())
	}
	return all
}

func names(segs ...*segment.Encoded) []digest.Digest {
	var ids []digest.Digest
	for _, e := range segs {
		ids = append(ids, e.ID)
	}
	return ids
}

// testReplace checks order, idempotence and that a conflict changes nothing.
func (o Opener) testReplace(t *testing.T) {
	b := o(t)
	defer closing(t, b)
	e := encoded(4)
	for _, step := range []struct {
		add      []*segment.Encoded
		drop     []digest.Digest
		conflict bool
		want     []digest.Digest
	}{
		{nil, nil, false, nil},
		{e[:2], nil, false, names(e[0], e[1])},
		{e[:3], nil, false, names(e[0], e[1], e[2])},
		{e[1:2], nil, false, names(e[0], e[1], e[2])},
		{e[3:], names(e[0], e[3]), true, names(e[0], e[1], e[2])},
		{nil, names(e[3]), true, names(e[0], e[1], e[2])},
		{nil, names(e[1], e[1]), true, names(e[0], e[1], e[2])},
		{e[3:], names(e[1]), false, names(e[0], e[2], e[3])},
		{e[:1], names(e[0]), false, names(e[2], e[3], e[0])},
		{nil, names(e[2], e[3], e[0]), false, nil},
		{e[1:2], nil, false, names(e[1])},
	} {
		err := b.Replace(context.Background(), step.add, step.drop)
		if errors.Is(err, store.ErrConflict) != step.conflict || (err != nil && !step.conflict) {
			t.Fatalf("%+v: %v", step, err)
		}
		if got := listOf(t, b); !slices.Equal(got, step.want) {
			t.Fatalf("segments are %v, not %v", got, step.want)
		}
		compareParts(t, b, e)
	}
}

func closing(t *testing.T, c interface{ Close() error }) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func viewOf(t *testing.T, b store.Backend) store.BackendView {
	t.Helper()
	v, err := b.View(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func listOf(t *testing.T, b store.Backend) []digest.Digest {
	t.Helper()
	v := viewOf(t, b)
	defer closing(t, v)
	ids, err := v.Segments()
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// compareParts checks that the segments that are there have the bytes that were added.
func compareParts(t *testing.T, b store.Backend, all []*segment.Encoded) {
	t.Helper()
	v := viewOf(t, b)
	defer closing(t, v)
	ids, err := v.Segments()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if !slices.Contains(ids, e.ID) {
			continue
		}
		part := func(want []byte) func(got []byte, err error) {
			return func(got []byte, err error) {
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("segment %s: %d bytes, not %d; %v", e.ID.Short(), len(got), len(want), err)
				}
			}
		}
		part(e.Index)(v.Index(e.ID))
		part(e.Suspects)(v.Suspects(e.ID))
		for n := range e.Blocks {
			part(e.Blocks[n])(v.Block(e.ID, n))
		}
	}
}

// testMissingParts checks that what is not there is damage.
func (o Opener) testMissingParts(t *testing.T) {
	b := o(t)
	defer closing(t, b)
	e := encoded(2)
	if err := b.Replace(context.Background(), e[:1], nil); err != nil {
		t.Fatal(err)
	}
	v := viewOf(t, b)
	defer closing(t, v)
	missing := func(got []byte, err error) {
		t.Helper()
		if !errors.Is(err, store.ErrCorrupt) || got != nil {
			t.Errorf("%d bytes, error %v", len(got), err)
		}
	}
	missing(v.Index(e[1].ID))
	missing(v.Suspects(e[1].ID))
	missing(v.Block(e[1].ID, 0))
	missing(v.Block(e[0].ID, len(e[0].Blocks)))
	missing(v.Block(e[0].ID, -1))
}

// testViewIsOneState checks that a view does not see what is written after it was opened. The writer may wait for the
// view, so it works beside it.
func (o Opener) testViewIsOneState(t *testing.T) {
	b := o(t)
	defer closing(t, b)
	e := encoded(3)
	if err := b.Replace(context.Background(), e[:2], nil); err != nil {
		t.Fatal(err)
	}
	v := viewOf(t, b)
	written := make(chan error, 1)
	go func() { written <- b.Replace(context.Background(), e[2:], names(e[0])) }()
	for range 3 {
		time.Sleep(20 * time.Millisecond)
		if ids, err := v.Segments(); err != nil || !slices.Equal(ids, names(e[:2]...)) {
			t.Errorf("the view shows %v, %v", ids, err)
		}
		if index, err := v.Index(e[0].ID); err != nil || !bytes.Equal(index, e[0].Index) {
			t.Errorf("the view lost a segment: %v", err)
		}
	}
	closing(t, v)
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	if got := listOf(t, b); !slices.Equal(got, names(e[1:]...)) {
		t.Errorf("segments are %v", got)
	}
}

func (o Opener) testRuns(t *testing.T) {
	b := o(t)
	defer closing(t, b)
	var want []store.Run
	for i := range 5 {
		run := store.Run{
			When: time.Unix(1_700_000_000-int64(i), 0).UTC(), Revision: fmt.Sprint("r", i), Verdict: "exact", Tests: 10 + i, Selected: 5, Executed: 4,
			Passed: 3, Failed: 1, Took: time.Duration(i) * time.Second, Saved: 1500 * time.Microsecond, Interrupted: i%2 == 0,
		}
		if err := b.AddRun(context.Background(), run); err != nil {
			t.Fatal(err)
		}
		want = slices.Insert(want, 0, run)
	}
	for _, n := range []int{0, 1, 3, 5, 9} {
		got, err := b.Runs(context.Background(), n)
		if err != nil || !slices.Equal(got, want[:min(n, 5)]) {
			t.Errorf("Runs(%d) = %+v, %v", n, got, err)
		}
	}
	if ids := listOf(t, b); len(ids) != 0 {
		t.Errorf("run summaries made %d segments", len(ids))
	}
}

// testAnswers appends histories, which merges segments on the way, and asks after every step.
func (o Opener) testAnswers(t *testing.T) {
	check(t, func(h History, r *rand.Rand) error {
		snap := newSnapshot(r)
		return o.opened(t, 1, func(s []*store.Store) error {
			for i, rec := range h {
				if err := s[0].Append(context.Background(), rec); err != nil {
					return err
				}
				if err := expect(s[0], h[:i+1], snap); err != nil {
					return fmt.Errorf("after recording %d: %w", i, err)
				}
			}
			return nil
		})
	})
}

// testEqualSegments checks that the names of the segments, merged ones included, follow from the history alone.
func (o Opener) testEqualSegments(t *testing.T) {
	check(t, func(h History, _ *rand.Rand) error {
		return o.opened(t, 2, func(s []*store.Store) error {
			var exports [2]bytes.Buffer
			for i := range exports {
				if err := errors.Join(appendAll(s[i], h), s[i].Export(context.Background(), &exports[i])); err != nil {
					return err
				}
			}
			if !bytes.Equal(exports[0].Bytes(), exports[1].Bytes()) {
				return errors.New("two stores with the same history differ")
			}
			return nil
		})
	})
}

// testMerge merges two stores both ways.
func (o Opener) testMerge(t *testing.T) {
	check(t, func(h History, r *rand.Rand) error {
		snap, cut, from := newSnapshot(r), r.IntN(len(h)+1), r.IntN(len(h)+1)
		return o.opened(t, 2, func(s []*store.Store) error {
			if err := errors.Join(appendAll(s[0], h[:cut]), appendAll(s[1], h[min(from, cut):])); err != nil {
				return err
			}
			for _, way := range [][2]*store.Store{{s[0], s[1]}, {s[1], s[0]}, {s[0], s[1]}} {
				if _, err := way[0].Merge(context.Background(), way[1]); err != nil {
					return err
				}
				if err := expect(way[0], h, snap); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (o Opener) testExport(t *testing.T) {
	check(t, func(h History, r *rand.Rand) error {
		snap := newSnapshot(r)
		return o.opened(t, 2, func(s []*store.Store) error {
			var exported, again bytes.Buffer
			if err := errors.Join(appendAll(s[0], h), s[0].Export(context.Background(), &exported)); err != nil {
				return err
			}
			for range 2 { // the second time changes nothing
				if _, err := s[1].Import(context.Background(), bytes.NewReader(exported.Bytes())); err != nil {
					return err
				}
			}
			if err := errors.Join(expect(s[1], h, snap), s[1].Export(context.Background(), &again)); err != nil {
				return err
			}
			if !bytes.Equal(exported.Bytes(), again.Bytes()) {
				return errors.New("the export of an import differs")
			}
			return nil
		})
	})
}

// testDamagedExport flips and cuts exports: they are refused and change nothing.
func (o Opener) testDamagedExport(t *testing.T) {
	check(t, func(h History, r *rand.Rand) error {
		snap := newSnapshot(r)
		return o.opened(t, 2, func(s []*store.Store) error {
			var exported bytes.Buffer
			if err := errors.Join(appendAll(s[0], h), s[0].Export(context.Background(), &exported)); err != nil {
				return err
			}
			for range 20 {
				b := bytes.Clone(exported.Bytes())
				at := r.IntN(len(b))
				if b[at] ^= 1 << r.IntN(8); r.IntN(3) == 0 {
					b = exported.Bytes()[:at]
				}
				if _, err := s[1].Import(context.Background(), bytes.NewReader(b)); !errors.Is(err, store.ErrCorrupt) {
					return fmt.Errorf("damage at byte %d of %d: %v", at, exported.Len(), err)
				}
			}
			return expect(s[1], nil, snap)
		})
	})
}

// testConcurrentAppends appends from several goroutines at once; every one may merge segments.
func (o Opener) testConcurrentAppends(t *testing.T) {
	h := NewHistory(rand.New(rand.NewPCG(*first, 3)), 24)
	err := o.opened(t, 1, func(s []*store.Store) error {
		var wg sync.WaitGroup
		errs := make([]error, 4)
		for g := range errs {
			wg.Go(func() { errs[g] = appendAll(s[0], h[g*6:(g+1)*6]) })
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		return expect(s[0], h, newSnapshot(rand.New(rand.NewPCG(*first, 4))))
	})
	if err != nil {
		t.Error(err)
	}
}
