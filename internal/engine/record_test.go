package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
)

// records returns the number of records in the store.
func records(t *testing.T, e *Engine) int { return stat(t, e).Records }

func stat(t *testing.T, e *Engine) store.Stat {
	t.Helper()
	v, err := e.Store.View(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	st, err := v.Stat()
	if err := errors.Join(err, v.Close()); err != nil {
		t.Fatal(err)
	}
	return st
}

// TestLongRunsFlush checks that what has ended is stored while the run goes on: a kill loses at most what ended since.
func TestLongRunsFlush(t *testing.T) {
	w := newWorld("a", "b", "c", "d")
	e := w.engine()
	now := epoch
	e.Config.Now = func() time.Time { return now }
	var seen []int
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		for i, id := range tests {
			now = epoch.Add(time.Duration(i) * 600 * time.Millisecond) // 0, 0.6, 1.2, 1.8 seconds
			sink.Done(w.result(id))
			seen = append(seen, records(t, e))
		}
		return nil
	}
	runs(t, e, minute(0))
	if got, want := fmt.Sprint(seen), "[0 0 3 3]"; got != want {
		t.Errorf("records after each test %s, want %s", got, want)
	}
	if n := records(t, e); n != 4 {
		t.Errorf("%d records after the run", n)
	}
	wantCodes(t, e, "- - - -")
}

// TestEqualFootprintsAreStoredOnce compares the uses that count with the uses that are stored.
func TestEqualFootprintsAreStoredOnce(t *testing.T) {
	w := newWorld("a", "b", "c")
	w.now[file("x")] = "1"
	w.reads["m#a"] = []rts.Entity{file("x"), file("a"), file("x")}
	w.reads["m#b"] = []rts.Entity{file("a"), file("x")}
	e := w.engine()
	runs(t, e, minute(0))
	if st := stat(t, e); st.Dependencies != 5 || st.Stored != 3 || st.Records != 3 {
		t.Errorf("%+v, want 5 dependencies of which 3 are stored", st)
	}
}

// TestSharedFootprintsAreStoredOnce does so for footprints that tests include, also if the front end reports one twice.
func TestSharedFootprintsAreStoredOnce(t *testing.T) {
	w := newWorld("a", "b")
	w.now[file("x")], w.now[file("y")] = "1", "1"
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		unused := sink.Shared(rts.Footprint{Label: "unused", Uses: []rts.Use{w.use(file("z"))}})
		for _, id := range tests {
			n := sink.Shared(rts.Footprint{Label: "init", Uses: []rts.Use{w.use(file("y")), w.use(file("x"))}})
			if n == unused {
				t.Error("two footprints have one number")
			}
			res := w.result(id)
			res.Own.Includes = []int{n}
			sink.Done(res)
		}
		return nil
	}
	e := w.engine()
	runs(t, e, minute(0))
	if st := stat(t, e); st.Dependencies != 6 || st.Stored != 4 {
		t.Errorf("%+v, want 6 dependencies of which 4 are stored", st)
	}
	wantCodes(t, e, "- -")
}

// A moving project can tell what it is after the run.
type moving struct {
	*world
	later func() (rts.Snapshot, error)
}

func (m moving) Recheck() (rts.Snapshot, error) { return m.later() }

// TestMovedInputsMakeRecordsIncomplete covers (S1.9), also through what a test includes.
func TestMovedInputsMakeRecordsIncomplete(t *testing.T) {
	for _, c := range []struct {
		name  string
		edit  func(w *world)
		want  string
		moved string // what the run names
	}{
		{"nothing", func(*world) {}, "- -", ""},
		{"own input", func(w *world) { w.now[file("b")] = "2" }, "- incomplete-record", "b"},
		{"shared input", func(w *world) { w.now[file("inner")] = "2" }, "incomplete-record -", "inner"},
		{"unreadable", func(w *world) { w.now[file("a")] = "?" }, "incomplete-record -", "a"},
		{"another file", func(w *world) { w.now[file("other")] = "2" }, "- -", ""},
	} {
		w := newWorld("a", "b")
		w.now[file("inner")], w.now[file("outer")] = "1", "1"
		w.runner = layered(w)
		after := *w
		after.now = map[rts.Entity]string{}
		for k, v := range w.now {
			after.now[k] = v
		}
		c.edit(&after)
		e := w.engine()
		e.Project = moving{w, func() (rts.Snapshot, error) { return &after, nil }}
		rep := runs(t, e, minute(0))
		var notes string
		for _, err := range rep.Troubles {
			notes += err.Error()
		}
		want := c.moved != ""
		if (notes != "") != want || want && !strings.Contains(notes, file(c.moved).String()+" is not what the tests found") {
			t.Errorf("%s: the run says %q", c.name, notes)
		}
		// Selected on what the tests were thought to have read, as a run right after would see it if the edit were undone.
		if got := codes(selects(t, e)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestIncompleteStaysIncomplete: that nothing moved does not complete a trace that the front end knows to lack something.
func TestIncompleteStaysIncomplete(t *testing.T) {
	w := newWorld("a")
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		res := w.result(tests[0])
		res.Record.Incomplete = true
		sink.Done(res)
		return nil
	}
	e := w.engine()
	e.Project = moving{w, func() (rts.Snapshot, error) { return w, nil }}
	runs(t, e, minute(0))
	wantCodes(t, e, "incomplete-record")
}

// TestFailedRecheckProvesNothing: if it is not known whether inputs moved, no record is a proof.
func TestFailedRecheckProvesNothing(t *testing.T) {
	w := newWorld("a")
	e := w.engine()
	e.Project = moving{w, func() (rts.Snapshot, error) { return nil, errors.New("gone") }}
	rep := runs(t, e, minute(0))
	if rep.RecordErr != nil || len(rep.Troubles) != 1 || strings.Contains(rep.Troubles[0].Error(), "is not what") {
		t.Error(rep.RecordErr, rep.Troubles)
	}
	wantCodes(t, e, "incomplete-record")
}

// TestBodiesAreKept checks that the bodies of the uses that are recorded are stored, and no others.
func TestBodiesAreKept(t *testing.T) {
	w := newWorld("a")
	used, unused := digest.OfString("1"), digest.OfString("unused")
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		sink.Body(used, []byte("body"))
		sink.Body(unused, []byte("unused"))
		sink.Done(w.result(tests[0]))
		return nil
	}
	e := w.engine()
	runs(t, e, minute(0))
	v, err := e.Store.View(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if b, ok, err := v.Body(used); !ok || err != nil || string(b) != "body" {
		t.Errorf("%q, %v, %v", b, ok, err)
	}
	if _, ok, err := v.Body(unused); ok || err != nil {
		t.Errorf("a body that nothing refers to is stored: %v", err)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
}

// TestSinkTakesManyGoroutines reports from several goroutines at once; the race detector watches.
func TestSinkTakesManyGoroutines(t *testing.T) {
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("t%02d", i))
	}
	w := newWorld(names...)
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		var wg sync.WaitGroup
		for i, id := range tests {
			wg.Go(func() {
				n := sink.Shared(rts.Footprint{Label: string(id), Uses: []rts.Use{w.use(file("x"))}})
				sink.Body(digest.OfString(string(id)), []byte(id))
				res := w.result(id)
				res.Own.Includes = []int{n}
				if i%4 == 0 {
					sink.NotRun(id, "filtered")
				} else {
					sink.Done(res)
				}
			})
		}
		wg.Wait()
		return nil
	}
	e := w.engine()
	rep := runs(t, e, minute(0))
	if len(rep.Results) != 30 || len(rep.NotRun) != 10 || len(rep.Missing) != 0 {
		t.Errorf("%d results, %d not run, missing %v", len(rep.Results), len(rep.NotRun), rep.Missing)
	}
	if n := len(selects(t, e).Selected()); n != 10 {
		t.Errorf("%d selected afterwards, want the 10 that did not run", n)
	}
}
