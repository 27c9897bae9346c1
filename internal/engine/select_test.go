package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
)

func TestNoRecordThenProof(t *testing.T) {
	w := newWorld("a", "b")
	w.reads["m#a"] = append(w.reads["m#a"], file("b"), file("looked for in vain"))
	e := w.engine()
	sel := wantCodes(t, e, "no-record no-record")
	if got, want := verdictsOf(sel), "m full 2/2 no-record"; got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
	meta := rts.Meta{When: epoch, Revision: "abc", Dirty: true, Technique: "t"}
	runs(t, e, meta)
	sel = wantCodes(t, e, "- -")
	if got, want := verdictsOf(sel), "m proven-empty 0/2"; got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
	for i, inputs := range []int{3, 1} {
		if p := sel.Decisions[i].Proof; p.Meta != meta || p.Inputs != inputs || len(p.Differences) != 0 {
			t.Errorf("proof %+v, want %d inputs and %+v", p, inputs, meta)
		}
	}
	if len(sel.Changes) != 0 || len(sel.Obsolete) != 0 {
		t.Errorf("changes %v, obsolete %v", sel.Changes, sel.Obsolete)
	}
}

// TestDifferenceCodes changes one entity in every way that has a code of its own.
func TestDifferenceCodes(t *testing.T) {
	for _, c := range []struct {
		name     string
		kind     rts.Kind
		was, now string // "" is absent
		want     rts.Code
	}{
		{"changed", rts.KindFile, "1", "2", rts.InputChanged},
		{"removed", rts.KindFile, "1", "", rts.InputRemoved},
		{"appeared", rts.KindFile, "", "1", rts.InputAppeared},
		{"unreadable", rts.KindFile, "1", "?", rts.InputUnreadable},
		{"absent and unreadable", rts.KindFile, "", "?", rts.InputUnreadable},
		{"never readable", rts.KindFile, "?", "?", rts.InputUnreadable},
		{"was not readable", rts.KindFile, "?", "1", rts.InputChanged},
		{"directory", rts.KindDir, "1", "2", rts.InputChanged},
		{"any other kind", "cell", "1", "2", rts.InputChanged},
		{"test", rts.KindTest, "1", "2", rts.TestChanged},
		{"tool", rts.KindTool, "1", "2", rts.ToolchainChanged},
		{"tool gone", rts.KindTool, "1", "", rts.ToolchainChanged},
		{"variable", rts.KindEnv, "1", "2", rts.EnvChanged},
		{"variable set", rts.KindEnv, "", "2", rts.EnvChanged},
		{"unreadable tool", rts.KindTool, "1", "?", rts.InputUnreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld("a")
			x := rts.Entity{Kind: c.kind, Name: "x"}
			set := func(content string) {
				if delete(w.now, x); content != "" {
					w.now[x] = content
				}
			}
			w.reads["m#a"] = []rts.Entity{file("a"), x}
			set(c.was)
			e := w.engine()
			runs(t, e, minute(0))
			set(c.now)
			sel := wantCodes(t, e, string(c.want))
			if r := sel.Decisions[0].Reasons[0]; r.Entity != x || len(r.Path) != 0 {
				t.Errorf("reason %+v", r)
			}
			if want := []rts.Change{{Entity: x, Code: c.want, Tests: 1}}; !slices.Equal(sel.Changes, want) {
				t.Errorf("changes %+v, want %+v", sel.Changes, want)
			}
		})
	}
}

// TestEvidence weighs records of one test whose only input has the content "1" now.
func TestEvidence(t *testing.T) {
	const none, passed, failed, errored, killed, skipped = rts.OutcomeNone, rts.Passed, rts.Failed, rts.Errored, rts.Killed, rts.Skipped
	for _, c := range []struct {
		name    string
		records []ran
		want    string // reasons, or the minute of the proof
	}{
		{"pass", []ran{{at: 1, outcome: passed, on: "1"}}, "proof 1"},
		{"newest pass", []ran{{at: 2, outcome: passed, on: "1"}, {at: 1, outcome: passed, on: "1"}}, "proof 2"},
		{"old pass with these inputs", []ran{{at: 1, outcome: passed, on: "1"}, {at: 2, outcome: failed, on: "2"}}, "proof 1"},
		{"failed", []ran{{at: 1, outcome: failed, on: "1"}}, "failed-last (failed 2024-05-06 07:01)"},
		{"newest of the bad ones", []ran{{at: 2, outcome: errored, on: "1", revision: "0123456789ab"}, {at: 1, outcome: failed, on: "1"}},
			"failed-last (error 2024-05-06 07:02 at 012345678)"},
		{"killed", []ran{{at: 1, outcome: killed, on: "1", incomplete: true}}, "failed-last (killed 2024-05-06 07:01)"},
		{"skipped", []ran{{at: 1, outcome: skipped, on: "1"}}, "proof 1"},
		{"skipped beside a failure", []ran{{at: 1, outcome: skipped, on: "1"}, {at: 2, outcome: failed, on: "1"}}, "unstable (skipped 2024-05-06 07:01, failed 2024-05-06 07:02)"},
		{"unstable", []ran{{at: 1, outcome: failed, on: "1"}, {at: 2, outcome: passed, on: "1", revision: "r"}},
			"unstable (passed 2024-05-06 07:02 at r, failed 2024-05-06 07:01)"},
		{"unstable the other way", []ran{{at: 1, outcome: passed, on: "1"}, {at: 2, outcome: killed, on: "1"}},
			"unstable (passed 2024-05-06 07:01, killed 2024-05-06 07:02)"},
		{"failed with other inputs", []ran{{at: 1, outcome: passed, on: "1"}, {at: 0, outcome: failed, on: "0"}}, "proof 1"},
		{"incomplete", []ran{{at: 1, outcome: passed, on: "1", incomplete: true}}, "incomplete-record"},
		{"incomplete beside a proof", []ran{{at: 1, outcome: passed, on: "1"}, {at: 2, outcome: passed, on: "1", incomplete: true}}, "proof 1"},
		{"incomplete failure answered", []ran{{at: 1, outcome: errored, on: "1", incomplete: true}, {at: 2, outcome: passed, on: "1"}}, "proof 2"},
		{"incomplete failure after the pass", []ran{{at: 2, outcome: errored, on: "1", incomplete: true}, {at: 1, outcome: passed, on: "1"}},
			"unstable (passed 2024-05-06 07:01, error 2024-05-06 07:02)"},
		{"incomplete failure is not answered by an incomplete pass",
			[]ran{{at: 1, outcome: errored, on: "1", incomplete: true}, {at: 2, outcome: passed, on: "1", incomplete: true}},
			"failed-last (error 2024-05-06 07:01)"},
		{"complete failure is never answered",
			[]ran{{at: 1, outcome: failed, on: "1"}, {at: 2, outcome: errored, on: "1", incomplete: true}, {at: 3, outcome: passed, on: "1"}},
			"unstable (passed 2024-05-06 07:03, failed 2024-05-06 07:01)"},
		{"interrupted", []ran{{at: 1, outcome: none, on: "1"}}, "interrupted"},
		{"interrupted beside a pass", []ran{{at: 1, outcome: passed, on: "1"}, {at: 2, outcome: none, on: "1"}}, "proof 1"},
		{"interrupted beside a failure", []ran{{at: 1, outcome: failed, on: "1"}, {at: 2, outcome: none, on: "1"}}, "failed-last (failed 2024-05-06 07:01)"},
		{"interrupted beside an incomplete pass", []ran{{at: 1, outcome: none, on: "1"}, {at: 2, outcome: passed, on: "1", incomplete: true}}, "incomplete-record"},
		{"none holds", []ran{{at: 1, outcome: passed, on: "2"}, {at: 2, outcome: failed, on: "3"}}, "input-changed file a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld("a")
			e := w.engine()
			stored(t, e, c.records...)
			d := &selects(t, e).Decisions[0]
			got := ""
			for _, r := range d.Reasons {
				got += r.String()
			}
			if d.Proof != nil {
				got += "proof " + strings.TrimPrefix(d.Proof.Meta.When.Format("4"), "0")
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestComparedWithNewestPass checks what a test is compared with of which no record holds: a complete pass rather than another record, of several with as many differences the newest.
func TestComparedWithNewestPass(t *testing.T) {
	b := rts.Use{Entity: file("b"), Digest: newWorld("b").Digest(file("b"))}
	other := rts.Use{Entity: file("c"), Digest: b.Digest}
	for _, c := range []struct {
		name  string
		first rts.Record // uses b, the second record uses c and is newer
		last  rts.Record
		want  rts.Entity
	}{
		{"newer of two passes", rts.Record{Outcome: rts.Passed}, rts.Record{Outcome: rts.Passed}, file("c")},
		{"pass rather than failure", rts.Record{Outcome: rts.Passed}, rts.Record{Outcome: rts.Failed}, file("b")},
		{"complete rather than incomplete", rts.Record{Outcome: rts.Passed}, rts.Record{Outcome: rts.Passed, Incomplete: true}, file("b")},
		{"newer of two failures", rts.Record{Outcome: rts.Failed}, rts.Record{Outcome: rts.Killed}, file("c")},
	} {
		w := newWorld("a") // neither b nor c exists
		e := w.engine()
		for i, r := range []rts.Record{c.first, c.last} {
			r.Test = "m#a"
			rec := &rts.Recording{Meta: minute(i), Footprints: []rts.Footprint{{Uses: []rts.Use{[]rts.Use{b, other}[i]}}}, Records: []rts.Record{r}}
			if err := e.Store.Append(context.Background(), rec); err != nil {
				t.Fatal(err)
			}
		}
		sel := wantCodes(t, e, "input-removed")
		if got := sel.Decisions[0].Reasons[0].Entity; got != c.want {
			t.Errorf("%s: compared with %s, want %s", c.name, got, c.want)
		}
	}
}

// TestComparedWithNearest: after a detour the test is explained by what differs from the record that has least against it, not by the way back.
func TestComparedWithNearest(t *testing.T) {
	w := newWorld("a")
	w.reads["m#a"] = []rts.Entity{file("a"), file("b")}
	w.now[file("b")] = "1"
	e := w.engine()
	runs(t, e, minute(1))
	w.now[file("a")], w.now[file("b")] = "detour", "detour"
	runs(t, e, minute(2))
	w.now[file("a")], w.now[file("b")] = "1", "2"
	sel := wantCodes(t, e, "input-changed")
	if r := sel.Decisions[0].Reasons; len(r) != 1 || r[0].Entity != file("b") {
		t.Errorf("the reasons are %v, want only that b changed", r)
	}
}

func TestAdmit(t *testing.T) {
	w := newWorld("a")
	e := w.engine()
	e.Config.Admit = func(m rts.Meta) bool { return m.Revision == "base" }
	wantCodes(t, e, "no-record")
	stored(t, e, ran{at: 1, outcome: rts.Passed, on: "1", revision: "other"}, ran{at: 2, outcome: rts.Passed, on: "1", revision: "more"})
	sel := wantCodes(t, e, "not-at-base")
	if r := sel.Decisions[0].Reasons[0]; r.Detail != "2 records elsewhere" {
		t.Errorf("detail %q", r.Detail)
	}
	stored(t, e, ran{at: 0, outcome: rts.Passed, on: "2", revision: "base"})
	wantCodes(t, e, "input-changed")
	stored(t, e, ran{at: 0, outcome: rts.Passed, on: "1", revision: "base"})
	sel = wantCodes(t, e, "-")
	if p := sel.Decisions[0].Proof; p.Meta.Revision != "base" {
		t.Errorf("the proof is from %q", p.Meta.Revision)
	}
}

func TestAll(t *testing.T) {
	w := newWorld("a", "b")
	e := w.engine()
	runs(t, e, minute(0))
	w.now[file("b")] = "2"
	e.Config.All, e.Config.AllWhy = true, rts.Reason{Code: rts.Asked, Detail: "--all"}
	sel := wantCodes(t, e, "asked asked+input-changed")
	if got, want := verdictsOf(sel), "m full 2/2 asked (--all)"; got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
	for _, d := range sel.Decisions {
		if d.Proof != nil {
			t.Errorf("%s has a proof and is selected", d.Test.ID)
		}
	}
}

func TestAlways(t *testing.T) {
	w := newWorld("a", "b", "c")
	e := w.engine()
	runs(t, e, minute(0))
	w.tests[0].Always, w.tests[0].AlwaysWhy = rts.Pinned, "winnow.toml:4"
	w.tests[1].Always, w.tests[1].AlwaysWhy = rts.Opaque, "native code"
	sel := wantCodes(t, e, "pinned opaque -")
	if r := sel.Decisions[0].Reasons[0]; r.Detail != "winnow.toml:4" {
		t.Errorf("reason %v", r)
	}
	if got, want := verdictsOf(sel), "m exact 2/3"; got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
	runs(t, e, minute(1))
	wantCodes(t, e, "pinned opaque -")
}

func TestObsolete(t *testing.T) {
	w := newWorld("z", "a", "b")
	e := w.engine()
	runs(t, e, minute(0))
	w.tests = w.tests[1:2]
	sel := wantCodes(t, e, "-")
	if want := []rts.TestID{"m#b", "m#z"}; !slices.Equal(sel.Obsolete, want) {
		t.Errorf("obsolete %v, want %v", sel.Obsolete, want)
	}
	if got, want := verdictsOf(sel), "m proven-empty 0/1"; got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
}

// TestGone: a test that was recorded and asks about something that is gone can never run again; without a record it is a new test like any other.
func TestGone(t *testing.T) {
	w := newWorld("a", "b")
	e := w.engine()
	w.tests[0].Gone = "its query is gone"
	wantCodes(t, e, "no-record no-record")
	runs(t, e, minute(0))
	sel := selects(t, e)
	if d := &sel.Decisions[0]; d.Obsolete != "its query is gone" || d.Proof != nil || d.Selected() {
		t.Errorf("%+v", d)
	}
	if got, want := verdictsOf(sel), "m exact 0/2"; got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
	if rep := runs(t, e, minute(1)); len(rep.Results) != 0 || rep.Saved != 10*time.Millisecond {
		t.Errorf("%d results, saved %v", len(rep.Results), rep.Saved)
	}
	w.tests[0].Gone = ""
	wantCodes(t, e, "- -")
}

// A brittle backend fails where it is told to.
type brittle struct {
	store.Backend
	view, segments, closing error
}

func (b *brittle) View(ctx context.Context) (store.BackendView, error) {
	if b.view != nil {
		return nil, b.view
	}
	v, err := b.Backend.View(ctx)
	return brittleView{v, b}, err
}

type brittleView struct {
	store.BackendView
	b *brittle
}

func (v brittleView) Block(id digest.Digest, n int) ([]byte, error) {
	if v.b.segments != nil {
		return nil, v.b.segments
	}
	return v.BackendView.Block(id, n)
}

func (v brittleView) Close() error { return errors.Join(v.b.closing, v.BackendView.Close()) }

// TestStoreErrors checks that a store that cannot be read is an error, never a selection.
func TestStoreErrors(t *testing.T) {
	broken := errors.New("broken")
	for name, b := range map[string]*brittle{"view": {view: broken}, "block": {segments: broken}, "close": {closing: broken}} {
		w := newWorld("a")
		back := &memory.Backend{}
		e := &Engine{Project: w, Store: store.New(back)}
		runs(t, e, minute(0))
		w.now[file("a")] = "2" // so that the block with its users is read
		b.Backend = back
		e.Store = store.New(b)
		if sel, err := e.Select(context.Background()); sel != nil || !errors.Is(err, broken) {
			t.Errorf("%s: %v, %v", name, sel, err)
		}
		if name == "block" {
			continue // Known reads no block
		}
		if _, err := e.Known(context.Background()); !errors.Is(err, broken) {
			t.Errorf("%s: Known: %v", name, err)
		}
	}
}

func TestKnown(t *testing.T) {
	w := newWorld("a")
	e := w.engine()
	stored(t, e, ran{at: 2, outcome: rts.Passed, on: "1", revision: "new"}, ran{at: 1, outcome: rts.Passed, on: "2", revision: "old"})
	known, err := e.Known(context.Background())
	if err != nil || len(known) != 1 || known["m#a"].Revision != "new" {
		t.Errorf("known %v, %v", known, err)
	}
}
