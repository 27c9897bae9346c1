package store_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/store/segment"
	"winnow/internal/store/storetest"
)

// three recordings in three segments, with a failure, shared uses and bodies.
func three() []*rts.Recording {
	return []*rts.Recording{
		ended(1, "m#a", rts.Passed, on("x", "1"), on("y", "1")),
		ended(2, "m#b", rts.Failed, on("y", "1")),
		ended(3, "m#a", rts.Passed, on("x", "2")),
	}
}

// refuses imports a damaged export into a store with content, and checks that this is an error and changes nothing.
func refuses(t *testing.T, s *store.Store, damaged []byte) bool {
	t.Helper()
	before := answers(t, s)
	n, err := s.Import(ctx, bytes.NewReader(damaged))
	return n == 0 && errors.Is(err, store.ErrCorrupt) && slices.Equal(answers(t, s), before)
}

// TestImportRefusesCutExports cuts an export at every byte (S4.1).
func TestImportRefusesCutExports(t *testing.T) {
	from, _ := with(t, three()...)
	whole := exported(t, from)
	to, _ := with(t, ended(9, "m#z", rts.Passed, on("z", "1")))
	for i := range whole {
		if !refuses(t, to, whole[:i]) {
			t.Errorf("an export of %d bytes is accepted without its last %d", len(whole), len(whole)-i)
		}
	}
}

// TestImportRefusesAlteredExports changes every byte of an export, one at a time: by one bit, to zero, which may look like the end of the export, and to a
// random value (S4.1).
func TestImportRefusesAlteredExports(t *testing.T) {
	from, _ := with(t, three()...)
	whole := exported(t, from)
	to, _ := with(t, ended(9, "m#z", rts.Passed, on("z", "1")))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range whole {
		for _, b := range []byte{whole[i] ^ 1<<r.IntN(8), 0, byte(r.IntN(256))} {
			damaged := bytes.Clone(whole)
			if damaged[i] = b; b != whole[i] && !refuses(t, to, damaged) {
				t.Errorf("byte %d of %d was %#x and is accepted as %#x", i, len(whole), whole[i], b)
			}
		}
	}
}

func TestImportRefusesWhatFollows(t *testing.T) {
	from, _ := with(t, three()...)
	whole := exported(t, from)
	to, _ := with(t)
	for _, more := range [][]byte{{0}, {'\n'}, whole} {
		if !refuses(t, to, slices.Concat(whole, more)) {
			t.Errorf("%d bytes more are accepted", len(more))
		}
	}
}

// TestTransferRoundTrip moves all answers to another store, by export and by merge, once and again.
func TestTransferRoundTrip(t *testing.T) {
	from, _ := with(t, three()...)
	want := answers(t, from)
	merged, _ := with(t)
	imported, _ := with(t)
	for range 2 {
		if n, err := merged.Merge(ctx, from); n != 3 || err != nil {
			t.Errorf("merged %d records, %v", n, err)
		}
		if n, err := imported.Import(ctx, bytes.NewReader(exported(t, from))); n != 3 || err != nil {
			t.Errorf("imported %d records, %v", n, err)
		}
		wantEqual(t, "merge", answers(t, merged), want)
		wantEqual(t, "import", answers(t, imported), want)
	}
	for _, s := range []*store.Store{merged, imported} {
		if !bytes.Equal(exported(t, s), exported(t, from)) {
			t.Error("the export of the copy is another one")
		}
		if b, ok, err := view(t, s).Body(on("x", "2").Digest); !ok || err != nil || string(b) != "body of x" {
			t.Errorf("body %q, %v, %v", b, ok, err)
		}
	}
}

func TestTransferOfNothing(t *testing.T) {
	empty, _ := with(t)
	to, _ := with(t, three()...)
	want := answers(t, to)
	if n, err := to.Merge(ctx, empty); n != 0 || err != nil {
		t.Errorf("merged %d records, %v", n, err)
	}
	if n, err := to.Import(ctx, bytes.NewReader(exported(t, empty))); n != 0 || err != nil {
		t.Errorf("imported %d records, %v", n, err)
	}
	wantEqual(t, "afterwards", answers(t, to), want)
}

// TestDamageStopsTransfer: what is damaged is not handed on.
func TestDamageStopsTransfer(t *testing.T) {
	_, back := with(t, three()...)
	for _, part := range []storetest.Part{storetest.List, storetest.Index, storetest.Suspects, storetest.Block} {
		from := store.New(storetest.Faulty{Backend: back, Faults: []storetest.Fault{{Part: part, Segment: 1}}})
		to, _ := with(t)
		if n, err := to.Merge(ctx, from); n != 0 || !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("part %d: merged %d records, %v", part, n, err)
		}
		if err := from.Export(ctx, &bytes.Buffer{}); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("part %d: export: %v", part, err)
		}
		wantEqual(t, "afterwards", answers(t, to), []string{})
	}
}

func TestExportStops(t *testing.T) {
	s, _ := with(t, three()...)
	done, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Export(done, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("export: %v", err)
	}
	full := errors.New("disk full")
	if err := s.Export(ctx, failingWriter{full}); !errors.Is(err, full) {
		t.Errorf("export: %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// rescued copies a damaged store to a new one.
func rescued(t *testing.T, back *memory.Backend, faults ...storetest.Fault) (*store.Store, store.Salvage) {
	t.Helper()
	v, err := back.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	to, _ := with(t)
	report, err := to.Rescue(ctx, storetest.Damage(v, faults...))
	if err := errors.Join(err, v.Close()); err != nil {
		t.Fatal(err)
	}
	return to, report
}

// TestRescueWithoutSuspects loses the lists of suspects only. They can be made again from the records, so nothing is lost.
func TestRescueWithoutSuspects(t *testing.T) {
	from, back := with(t, three()...)
	for _, flip := range []byte{0, 1} {
		var faults []storetest.Fault
		for i := range 3 {
			faults = append(faults, storetest.Fault{Part: storetest.Suspects, Segment: i, Flip: flip})
		}
		to, report := rescued(t, back, faults...)
		if report != (store.Salvage{Kept: 3}) {
			t.Errorf("%+v", report)
		}
		wantEqual(t, "rescued", answers(t, to), answers(t, from))
		// The lists are whole again, or the export would be refused.
		if other, _ := with(t); len(exported(t, to)) > 0 {
			if n, err := other.Merge(ctx, to); n != 3 || err != nil {
				t.Errorf("merged %d records, %v", n, err)
			}
		}
	}
}

// TestRescue covers (S4.2): a lost segment takes the proofs of the tests with it that it may have shown not to pass.
func TestRescue(t *testing.T) {
	passB := ended(4, "m#b", rts.Passed, on("y", "1"))
	_, back := with(t, append(three(), passB)...)
	block := func(i int) storetest.Fault { return storetest.Fault{Part: storetest.Block, Segment: i} }
	a, a2, b2 := three()[0], three()[2], passB
	for _, c := range []struct {
		name   string
		faults []storetest.Fault
		want   store.Salvage
		left   []*rts.Recording
	}{
		{"a pass is lost", []storetest.Fault{block(0)}, store.Salvage{Kept: 3, Lost: 1}, []*rts.Recording{a2, three()[1], b2}},
		{"the failure is lost", []storetest.Fault{block(1)}, store.Salvage{Kept: 3, Lost: 1, Doubtful: 1}, []*rts.Recording{a, a2}},
		{"only the suspects of the failure remain", []storetest.Fault{{Part: storetest.Row, Segment: 1}},
			store.Salvage{Kept: 3, Lost: 1, Doubtful: 1}, []*rts.Recording{a, a2}},
		{"index and suspects are lost", []storetest.Fault{{Part: storetest.Row, Segment: 1}, {Part: storetest.Suspects, Segment: 1}},
			store.Salvage{Lost: 4, Nothing: true}, nil},
		{"the list is lost", []storetest.Fault{{Part: storetest.List}}, store.Salvage{Nothing: true}, nil},
		{"everything but the suspects is lost", []storetest.Fault{block(0), block(1), block(2), block(3)}, store.Salvage{Lost: 4, Doubtful: 1}, nil},
	} {
		to, report := rescued(t, back, c.faults...)
		if report != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, report, c.want)
		}
		model, _ := with(t, c.left...)
		wantEqual(t, c.name, answers(t, to), answers(t, model))
	}
}

// TestRescueIntoFullStore reports that the rescued segments could not be written.
func TestRescueIntoFullStore(t *testing.T) {
	_, back := with(t, three()...)
	v, err := back.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.New(readOnly{&memory.Backend{}}).Rescue(ctx, v); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("%v", err)
	}
}

type readOnly struct{ store.Backend }

func (readOnly) Replace(context.Context, []*segment.Encoded, []digest.Digest) error {
	return store.ErrReadOnly
}

// FuzzImport: what is refused changes nothing, what is accepted can be handed on.
func FuzzImport(f *testing.F) {
	for n := range 4 {
		s := store.New(&memory.Backend{})
		for _, rec := range three()[:n] {
			if err := s.Append(ctx, rec); err != nil {
				f.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := s.Export(ctx, &b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _ := with(t)
		if n, err := s.Import(ctx, bytes.NewReader(data)); err != nil {
			if n != 0 || segments(t, s) != 0 || !errors.Is(err, store.ErrCorrupt) {
				t.Fatalf("%d records, %d segments, %v", n, segments(t, s), err)
			}
			return
		}
		// A segment may be there twice; it counts once.
		other, _ := with(t)
		if _, err := other.Import(ctx, bytes.NewReader(exported(t, s))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(exported(t, other), exported(t, s)) {
			t.Fatal("the export of the copy is another one")
		}
	})
}
