package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/store/storetest"
)

// left prints the records of a store: test, outcome and second, sorted.
func left(t *testing.T, s *store.Store) string {
	t.Helper()
	var all []string
	view(t, s).Records(func(r store.Stored) {
		all = append(all, fmt.Sprintf("%s %s %d", r.Test, r.Outcome, r.Meta.When.Unix()-at(0).When.Unix()))
	})
	slices.Sort(all)
	return fmt.Sprint(all)
}

func collect(t *testing.T, s *store.Store, groups int, keep func(rts.TestID) bool) int {
	t.Helper()
	n, err := s.GC(ctx, groups, keep)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestGCKeepsDisagreement covers (S4.3): of records with the same inputs the newest of each outcome stays.
func TestGCKeepsDisagreement(t *testing.T) {
	s, _ := with(t,
		ended(1, "m#a", rts.Passed, on("x", "1")), ended(2, "m#a", rts.Failed, on("x", "1")),
		ended(3, "m#a", rts.Passed, on("x", "1")), ended(4, "m#a", rts.Killed, on("x", "1")),
	)
	if n := collect(t, s, 1, nil); n != 1 {
		t.Errorf("%d records dropped, want the older pass only", n)
	}
	if got, want := left(t, s), "[m#a failed 2 m#a killed 4 m#a passed 3]"; got != want {
		t.Errorf("left %s, want %s", got, want)
	}
}

// TestGCKeepsWhatSpeaksAgainst: a failure whose group is too old stays as long as a pass stays that it speaks against.
func TestGCKeepsWhatSpeaksAgainst(t *testing.T) {
	against := ended(1, "m#a", rts.Failed, on("x", "1"))
	elsewhere := ended(2, "m#a", rts.Failed, on("x", "9"))
	pass := ended(3, "m#a", rts.Passed, on("x", "1"), on("y", "1"))
	s, _ := with(t, against, elsewhere, pass)
	if n := collect(t, s, 1, nil); n != 1 {
		t.Errorf("%d records dropped", n)
	}
	if got, want := left(t, s), "[m#a failed 1 m#a passed 3]"; got != want {
		t.Errorf("left %s, want %s", got, want)
	}
}

func TestGCKeepsNewestGroups(t *testing.T) {
	s, _ := with(t,
		ended(1, "m#a", rts.Passed, on("x", "1")), ended(2, "m#a", rts.Passed, on("x", "2")), ended(3, "m#a", rts.Passed, on("x", "3")),
		ended(1, "m#b", rts.Passed, on("y", "1")), ended(4, "m#gone", rts.Passed, on("z", "1")),
	)
	if n := collect(t, s, 2, func(id rts.TestID) bool { return id != "m#gone" }); n != 2 {
		t.Errorf("%d records dropped, want 2", n)
	}
	if got, want := left(t, s), "[m#a passed 2 m#a passed 3 m#b passed 1]"; got != want {
		t.Errorf("left %s, want %s", got, want)
	}
	v := view(t, s)
	for content, want := range map[string]bool{"1": true, "2": true, "3": true} {
		if _, ok, err := v.Body(digest.OfString(content)); ok != want || err != nil {
			t.Errorf("body %s: %v, %v", content, ok, err)
		}
	}
	if n := collect(t, s, 2, nil); n != 0 {
		t.Errorf("%d records dropped the second time", n)
	}
	if n := collect(t, s, 0, nil); n != 3 || left(t, s) != "[]" {
		t.Errorf("%d records dropped, left %s", n, left(t, s))
	}
	if _, ok, err := view(t, s).Body(digest.OfString("1")); ok || err != nil {
		t.Errorf("a body that nothing refers to is left: %v", err)
	}
}

func TestGCOfDamage(t *testing.T) {
	_, back := with(t, ended(1, "m#a", rts.Passed, on("x", "1")))
	for _, part := range []storetest.Part{storetest.List, storetest.Index, storetest.Block} {
		s := store.New(storetest.Faulty{Backend: back, Faults: []storetest.Fault{{Part: part, Block: 1}}})
		if _, err := s.GC(ctx, 1, nil); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("part %d: %v", part, err)
		}
	}
}

// TestCompaction appends until segments are merged; nothing is lost, and repetitions count once.
func TestCompaction(t *testing.T) {
	s, _ := with(t)
	most := 0
	for i := range 40 {
		if err := s.Append(ctx, ended(i, rts.TestID(fmt.Sprint("m#", i%10)), rts.Passed, on(fmt.Sprint("x", i%10), "1"))); err != nil {
			t.Fatal(err)
		}
		most = max(most, segments(t, s))
	}
	if most > 10 {
		t.Errorf("%d segments at once", most)
	}
	durations := view(t, s).Durations()
	for i := range 10 {
		if got, want := durations[rts.TestID(fmt.Sprint("m#", i))], time.Duration(30+i)*time.Millisecond; got != want {
			t.Errorf("test %d took %v, want %v", i, got, want)
		}
	}
}

// TestOldPassesAreForgotten records tests again and again, one of which failed once. Each recording is heavy.
func TestOldPassesAreForgotten(t *testing.T) {
	s, _ := with(t)
	s.Passes = 2
	noise := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 6; n++ {
		rec := ended(n, "m#0", rts.Passed, on("x", fmt.Sprint("x", n)))
		for i := 1; i < 8; i++ {
			rec.Records = append(rec.Records, rts.Record{Test: rts.TestID(fmt.Sprint("m#", i)), Outcome: rts.Passed})
		}
		if n == 1 {
			rec.Records = append(rec.Records, rts.Record{Test: "m#f", Outcome: rts.Failed, Footprint: 1}, rts.Record{Test: "m#f", Outcome: rts.Passed, Incomplete: true, Footprint: 1})
			rec.Footprints = append(rec.Footprints, rts.Footprint{Uses: []rts.Use{on("f", "1")}})
			rec.Bodies[digest.OfString("1")] = []byte("of f")
		}
		for i := range 300 {
			u := on("heavy", fmt.Sprint(n, i))
			body := make([]byte, 16<<10)
			for k := range body {
				body[k] = byte(noise.Uint32())
			}
			rec.Footprints[0].Uses = append(rec.Footprints[0].Uses, u)
			rec.Bodies[u.Digest] = body
		}
		rec.Footprints[0].Uses = rts.SortUses(rec.Footprints[0].Uses)
		if err := s.Append(ctx, rec); err != nil {
			t.Fatal(err)
		}
	}
	var stay []string
	for i := range 8 {
		stay = append(stay, fmt.Sprintf("m#%d passed 5 m#%[1]d passed 6", i))
	}
	want := "[" + strings.Join(stay, " ") + " m#f failed 1 m#f passed 1]"
	if got := left(t, s); got != want {
		t.Errorf("left %s, want %s", got, want)
	}
	v := view(t, s)
	st, err := v.Stat()
	if err != nil || st.Segments != 3 {
		t.Errorf("%d segments, %v; want those of the last two recordings, and one with what failed", st.Segments, err)
	}
	for content, want := range map[string]bool{"1": true, "x1": false, "x4": false, "x5": true, "x6": true} {
		if _, ok, err := v.Body(digest.OfString(content)); ok != want || err != nil {
			t.Errorf("body %s: %v, %v", content, ok, err)
		}
	}
}

func TestAppendNothing(t *testing.T) {
	s, _ := with(t, &rts.Recording{Meta: at(1)})
	if n := segments(t, s); n != 0 {
		t.Errorf("%d segments", n)
	}
	if err := store.New(readOnly{&memory.Backend{}}).Append(ctx, ended(1, "m#a", rts.Passed)); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("append: %v", err)
	}
}

func TestDurationsAreTheNewest(t *testing.T) {
	s, _ := with(t, ended(5, "m#a", rts.Passed, on("x", "1")), ended(2, "m#a", rts.Failed, on("x", "2")), ended(3, "m#b", rts.Passed))
	got := view(t, s).Durations()
	if len(got) != 2 || got["m#a"] != 5*time.Millisecond || got["m#b"] != 3*time.Millisecond {
		t.Errorf("%v", got)
	}
}

// usersOf returns the tests whose newest records use a file.
func usersOf(t *testing.T, s *store.Store, e rts.Entity) string {
	t.Helper()
	v := view(t, s)
	found := map[rts.TestID]bool{}
	if err := v.Users()(e, func(id rts.TestID) { found[id] = true }); err != nil {
		t.Error(err)
	}
	var ids []string
	for id := range found {
		ids = append(ids, string(id))
	}
	slices.Sort(ids)
	return fmt.Sprint(ids)
}

// TestUsers follows includes, and forgets what only older records used.
func TestUsers(t *testing.T) {
	nested := &rts.Recording{
		Meta: at(5),
		Footprints: []rts.Footprint{
			{Label: "init", Uses: []rts.Use{on("shared", "1")}},
			{Label: "set-up", Includes: []int{0}},
			{Uses: []rts.Use{on("x", "1")}, Includes: []int{1}},
			{Uses: []rts.Use{on("y", "1")}, Includes: []int{0, 1}},
			{Uses: []rts.Use{on("z", "1")}},
		},
		Records: []rts.Record{
			{Test: "m#a", Outcome: rts.Passed, Footprint: 2}, {Test: "m#b", Outcome: rts.Failed, Footprint: 3}, {Test: "m#c", Outcome: rts.Passed, Footprint: 4},
		},
	}
	s, _ := with(t, ended(1, "m#a", rts.Passed, on("once", "1"), on("z", "0")), nested, ended(9, "m#c", rts.Passed, on("z", "2")),
		ended(3, "m#c", rts.Passed, on("once", "2")))
	for name, want := range map[string]string{
		"shared": "[m#a m#b]", "x": "[m#a]", "y": "[m#b]", "z": "[m#c]", "once": "[]", "never": "[]",
	} {
		if got := usersOf(t, s, file(name)); got != want {
			t.Errorf("%s is used by %s, want %s", name, got, want)
		}
	}
}

func TestStat(t *testing.T) {
	shared := &rts.Recording{
		Meta: at(1),
		Footprints: []rts.Footprint{
			{Label: "init", Uses: []rts.Use{on("i", "1"), on("j", "1")}},
			{Uses: []rts.Use{on("x", "1")}, Includes: []int{0}},
			{Uses: []rts.Use{on("y", "1")}, Includes: []int{0}},
		},
		Records: []rts.Record{{Test: "m#a", Outcome: rts.Passed, Footprint: 1}, {Test: "m#b", Outcome: rts.Passed, Footprint: 2}, {Test: "m#c", Outcome: rts.Passed, Footprint: 2}},
	}
	s, back := with(t, shared, ended(2, "m#a", rts.Passed, on("x", "1")))
	got, err := view(t, s).Stat()
	if err != nil {
		t.Fatal(err)
	}
	if got.Bytes <= 0 {
		t.Errorf("%d bytes", got.Bytes)
	}
	got.Bytes = 0
	if want := (store.Stat{Segments: 2, Tests: 3, Records: 4, Inputs: 5, Dependencies: 10, Stored: 5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	faulty := store.New(storetest.Faulty{Backend: back, Faults: []storetest.Fault{{Part: storetest.Block, Segment: 1}}})
	if _, err := view(t, faulty).Stat(); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("damaged: %v", err)
	}
	if err := view(t, faulty).Verify(ctx); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("damaged: %v", err)
	}
	if err := view(t, s).Verify(ctx); err != nil {
		t.Error(err)
	}
}

func TestRunsAreKept(t *testing.T) {
	s, _ := with(t)
	for i := range 3 {
		if err := s.AddRun(ctx, store.Run{Tests: i}); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := s.Runs(ctx, 2)
	if err != nil || len(runs) != 2 || runs[0].Tests != 2 || runs[1].Tests != 1 {
		t.Errorf("%v, %v", runs, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestDrop: what is dropped is gone, the rest stays.
func TestDrop(t *testing.T) {
	s, _ := with(t, ended(1, "m#a", rts.Passed, on("x", "1")), ended(2, "m#b", rts.Passed, on("x", "1")), ended(3, "m#a", rts.Failed, on("x", "2")))
	drop := func(gone func(store.Stored) bool, want string) {
		t.Helper()
		if err := s.Drop(ctx, gone); err != nil {
			t.Fatal(err)
		}
		if got := left(t, s); got != want {
			t.Errorf("left %s, want %s", got, want)
		}
	}
	drop(func(store.Stored) bool { return false }, "[m#a failed 3 m#a passed 1 m#b passed 2]")
	drop(func(r store.Stored) bool { return r.Test == "m#a" && r.Outcome == rts.Passed }, "[m#a failed 3 m#b passed 2]")
	drop(func(store.Stored) bool { return true }, "[]")
}
