package store_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/store/storetest"
)

var ctx = context.Background()

// at is the origin of a recording made n seconds after the epoch.
func at(n int) rts.Meta {
	return rts.Meta{When: time.Unix(1_700_000_000+int64(n), 0).UTC(), Technique: "t"}
}

func file(name string) rts.Entity { return rts.Entity{Kind: rts.KindFile, Name: name} }

// on is a use of a file with some content.
func on(name, content string) rts.Use {
	return rts.Use{Entity: file(name), Digest: digest.OfString(content)}
}

// ended is a recording of one test with the given uses.
func ended(n int, test rts.TestID, outcome rts.Outcome, uses ...rts.Use) *rts.Recording {
	rec := &rts.Recording{
		Meta: at(n), Footprints: []rts.Footprint{{Uses: uses}}, Bodies: map[digest.Digest][]byte{},
		Records: []rts.Record{{Test: test, Outcome: outcome, Duration: time.Duration(n) * time.Millisecond}},
	}
	for _, u := range uses {
		rec.Bodies[u.Digest] = []byte("body of " + u.Entity.Name)
	}
	return rec
}

// with returns a store with the given recordings.
func with(t *testing.T, recs ...*rts.Recording) (*store.Store, *memory.Backend) {
	t.Helper()
	back := &memory.Backend{}
	s := store.New(back)
	for _, r := range recs {
		if err := s.Append(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	return s, back
}

// view opens a view that is closed at the end of the test.
func view(t *testing.T, s *store.Store) *store.View {
	t.Helper()
	v, err := s.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	return v
}

// answers asks a store for all it knows, as sorted lines.
func answers(t *testing.T, s *store.Store) []string {
	t.Helper()
	lines, err := storetest.Answers(view(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// segments returns the number of segments.
func segments(t *testing.T, s *store.Store) int {
	t.Helper()
	st, err := view(t, s).Stat()
	if err != nil {
		t.Fatal(err)
	}
	return st.Segments
}

func exported(t *testing.T, s *store.Store) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Export(ctx, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func wantEqual(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: answers\n%q\nwant\n%q", what, got, want)
	}
}
