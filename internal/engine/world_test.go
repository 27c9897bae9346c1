package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
)

// A world is a project made up by hand: entities with contents, and tests that read some of them.
type world struct {
	modules []string
	tests   []rts.Test
	// now has the contents. What is not in it is absent, "?" cannot be determined.
	now map[rts.Entity]string
	// reads has what each test reads when it runs, outcome how it ends if not by passing.
	reads   map[rts.TestID][]rts.Entity
	outcome map[rts.TestID]rts.Outcome
	// runner, if set, runs instead of reading and passing.
	runner func(ctx context.Context, tests []rts.TestID, sink Sink) error
}

func (w *world) Modules() []string { return w.modules }
func (w *world) Tests() []rts.Test { return w.tests }

func (w *world) Digest(e rts.Entity) digest.Digest {
	c, ok := w.now[e]
	switch {
	case !ok:
		return digest.Absent
	case c == "?":
		return digest.Unknown
	}
	return digest.OfString(c)
}

func (w *world) Run(ctx context.Context, tests []rts.TestID, sink Sink) error {
	if w.runner != nil {
		return w.runner(ctx, tests, sink)
	}
	for _, id := range tests {
		sink.Done(w.result(id))
	}
	return nil
}

// result is what a run of a test gives.
func (w *world) result(id rts.TestID) Result {
	res := Result{Record: rts.Record{Test: id, Outcome: rts.Passed, Duration: 10 * time.Millisecond}}
	if o, ok := w.outcome[id]; ok {
		res.Record.Outcome = o
	}
	for _, e := range w.reads[id] {
		res.Own.Uses = append(res.Own.Uses, w.use(e))
	}
	return res
}

func (w *world) use(e rts.Entity) rts.Use { return rts.Use{Entity: e, Digest: w.Digest(e)} }

// newWorld has one module m with the given tests, each of which reads file NAME with content 1.
func newWorld(names ...string) *world {
	w := &world{modules: []string{"m"}, now: map[rts.Entity]string{}, reads: map[rts.TestID][]rts.Entity{}, outcome: map[rts.TestID]rts.Outcome{}}
	for _, n := range names {
		id := rts.TestID("m#" + n)
		w.tests = append(w.tests, rts.Test{ID: id, Module: "m"})
		w.now[file(n)] = "1"
		w.reads[id] = []rts.Entity{file(n)}
	}
	return w
}

func file(name string) rts.Entity { return rts.Entity{Kind: rts.KindFile, Name: name} }

// engine returns an engine on the world with a store of its own.
func (w *world) engine() *Engine {
	return &Engine{Project: w, Store: store.New(&memory.Backend{})}
}

var epoch = time.Date(2024, 5, 6, 7, 0, 0, 0, time.UTC)

// minute is the origin of a recording made n minutes after the epoch.
func minute(n int) rts.Meta { return rts.Meta{When: epoch.Add(time.Duration(n) * time.Minute)} }

// selects makes a selection.
func selects(t *testing.T, e *Engine) *rts.Selection {
	t.Helper()
	sel, err := e.Select(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return sel
}

// runs selects and runs.
func runs(t *testing.T, e *Engine, meta rts.Meta) *Report {
	t.Helper()
	rep, err := e.Run(context.Background(), selects(t, e), meta, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// codes prints the reason codes of each decision, "-" for a proof.
func codes(sel *rts.Selection) string {
	var all []string
	for i := range sel.Decisions {
		d := &sel.Decisions[i]
		s := "-"
		if d.Selected() {
			var names []string
			for _, r := range d.Reasons {
				names = append(names, string(r.Code))
			}
			s = strings.Join(names, "+")
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func wantCodes(t *testing.T, e *Engine, want string) *rts.Selection {
	t.Helper()
	sel := selects(t, e)
	if got := codes(sel); got != want {
		t.Fatalf("selected for %q, want %q: %v", got, want, sel.Decisions)
	}
	return sel
}

// A ran is one record as a test of the evidence writes it down.
type ran struct {
	at         int // minutes
	outcome    rts.Outcome
	on         string // content of file a
	incomplete bool
	revision   string
}

// stored puts records of test m#a into the store, each as a recording of its own.
func stored(t *testing.T, e *Engine, all ...ran) {
	t.Helper()
	for _, r := range all {
		meta := minute(r.at)
		meta.Revision = r.revision
		rec := &rts.Recording{
			Meta:       meta,
			Footprints: []rts.Footprint{{Uses: []rts.Use{{Entity: file("a"), Digest: digest.OfString(r.on)}}}},
			Records:    []rts.Record{{Test: "m#a", Outcome: r.outcome, Incomplete: r.incomplete}},
		}
		if err := e.Store.Append(context.Background(), rec); err != nil {
			t.Fatal(err)
		}
	}
}

// verdictsOf prints the modules with their verdicts.
func verdictsOf(sel *rts.Selection) string {
	var all []string
	for _, m := range sel.Modules {
		s := fmt.Sprintf("%s %s %d/%d", m.Module, m.Verdict, m.Selected, m.Tests)
		if m.Why != nil {
			s += " " + m.Why.String()
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func sortedIDs(results []Result) []rts.TestID {
	var ids []rts.TestID
	for _, r := range results {
		ids = append(ids, r.Record.Test)
	}
	slices.Sort(ids)
	return ids
}
