package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/technique"
)

// layered runs test a under two layers of shared footprints, and test b by itself.
func layered(w *world) func(ctx context.Context, tests []rts.TestID, sink Sink) error {
	return func(_ context.Context, tests []rts.TestID, sink Sink) error {
		inner := sink.Shared(rts.Footprint{Label: "init shop", Uses: []rts.Use{w.use(file("inner"))}})
		outer := sink.Shared(rts.Footprint{Label: "set-up of m", Uses: []rts.Use{w.use(file("outer"))}, Includes: []int{inner}})
		for _, id := range tests {
			res := w.result(id)
			if id == "m#a" {
				res.Own.Includes = []int{outer}
			}
			sink.Done(res)
		}
		return nil
	}
}

// TestSharedFootprintsCount covers (S1.6): a difference in what is shared selects whoever includes it, through any number of layers.
func TestSharedFootprintsCount(t *testing.T) {
	for name, label := range map[string]string{"inner": "init shop", "outer": "set-up of m"} {
		w := newWorld("a", "b")
		w.now[file("inner")], w.now[file("outer")] = "1", "1"
		w.runner = layered(w)
		e := w.engine()
		runs(t, e, minute(0))
		sel := wantCodes(t, e, "- -")
		if n := sel.Decisions[0].Proof.Inputs; n != 3 {
			t.Errorf("the proof compares %d inputs, want 3", n)
		}
		w.now[file(name)] = "2"
		sel = wantCodes(t, e, "input-changed -")
		if got, want := sel.Decisions[0].Reasons[0].Path, []string{label, name}; !slices.Equal(got, want) {
			t.Errorf("path %v, want %v", got, want)
		}
	}
}

// TestPartsBelongToTheirOwner: what differs in a footprint without a label is told as a use of the footprint that includes it, and once with all its entries.
func TestPartsBelongToTheirOwner(t *testing.T) {
	w := newWorld("a", "b")
	w.now[file("x")] = "1"
	covered := func(entries ...uint32) []rts.Use {
		u := w.use(file("x"))
		u.Entries = entries
		return []rts.Use{u}
	}
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		part := sink.Shared(rts.Footprint{Uses: covered(1, 7)})
		owner := sink.Shared(rts.Footprint{Label: "what is kept", Uses: covered(3), Includes: []int{part}})
		for _, id := range tests {
			res := w.result(id)
			if id == "m#a" {
				res.Own.Includes = []int{owner}
			}
			sink.Done(res)
		}
		return nil
	}
	e := w.engine()
	runs(t, e, minute(0))
	var asked []technique.Stale
	e.Config.NewJudge = func(technique.Bodies) technique.Judge {
		return &fakeJudge{answer: func(tr technique.Trace) ([]rts.Reason, []rts.Difference, error) {
			asked = tr.Stale
			return plainReasons(tr.Stale), nil, nil
		}}
	}
	w.now[file("x")] = "2"
	sel := wantCodes(t, e, "input-changed -")
	if got, want := sel.Decisions[0].Reasons[0].Path, []string{"what is kept", "x"}; !slices.Equal(got, want) {
		t.Errorf("path %v, want %v", got, want)
	}
	if len(asked) != 1 || !slices.Equal(asked[0].Use.Entries, []uint32{1, 3, 7}) {
		t.Errorf("the judge is asked about %v", asked)
	}
}

// TestManyParts: a footprint that includes many others is decided by one of them that matters, which the judge is asked about once for both tests; if none matters by itself, it is looked at as a whole.
func TestManyParts(t *testing.T) {
	w := newWorld("a", "b")
	name := func(i int) rts.Entity { return file(fmt.Sprintf("part %d", i)) }
	for i := range many + 1 {
		w.now[name(i)] = "1"
	}
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		var all []int
		for i := range many + 1 {
			all = append(all, sink.Shared(rts.Footprint{Label: fmt.Sprintf("state %d", i), Uses: []rts.Use{w.use(name(i))}}))
		}
		for _, id := range tests {
			res := w.result(id)
			res.Own.Includes = all
			sink.Done(res)
		}
		return nil
	}
	matters := map[rts.Entity]bool{name(7): true}
	j := &fakeJudge{answer: func(tr technique.Trace) ([]rts.Reason, []rts.Difference, error) {
		return plainReasons(slices.DeleteFunc(slices.Clone(tr.Stale), func(s technique.Stale) bool { return !matters[s.Use.Entity] })), nil, nil
	}}
	e := judged(t, w, j)
	for i := range many + 1 {
		w.now[name(i)] = "2"
	}
	sel := wantCodes(t, e, "input-changed input-changed")
	for i := range sel.Decisions {
		if got, want := sel.Decisions[i].Reasons[0].Path, []string{"state 7", "part 7"}; !slices.Equal(got, want) {
			t.Errorf("path %v, want %v", got, want)
		}
	}
	if n := slices.IndexFunc(j.asked, func(tr technique.Trace) bool { return len(tr.Stale) > 1 }); n >= 0 {
		t.Errorf("the judge is asked about %d differences at once", len(j.asked[n].Stale))
	}
	clear(matters)
	wantCodes(t, e, "- -")
}

// A fakeJudge answers as a test wants it to, and remembers what it was asked.
type fakeJudge struct {
	asked  []technique.Trace
	answer func(technique.Trace) ([]rts.Reason, []rts.Difference, error)
}

func (j *fakeJudge) Judge(t technique.Trace) ([]rts.Reason, []rts.Difference, error) {
	j.asked = append(j.asked, t)
	return j.answer(t)
}

// judged returns an engine that asks the judge, with a record of each test.
func judged(t *testing.T, w *world, j *fakeJudge) *Engine {
	t.Helper()
	e := w.engine()
	runs(t, e, minute(0))
	e.Config.NewJudge = func(technique.Bodies) technique.Judge { return j }
	return e
}

// TestFailingJudgeSelects covers (S1.11).
func TestFailingJudgeSelects(t *testing.T) {
	for name, answer := range map[string]func(technique.Trace) ([]rts.Reason, []rts.Difference, error){
		"no such body": func(technique.Trace) ([]rts.Reason, []rts.Difference, error) {
			return nil, []rts.Difference{{Why: "ignored"}}, errors.New("no such body")
		},
		"panic: index out of range": func(technique.Trace) ([]rts.Reason, []rts.Difference, error) { panic("index out of range") },
	} {
		w := newWorld("a", "b")
		w.reads["m#a"] = []rts.Entity{file("a"), file("x")}
		e := judged(t, w, &fakeJudge{answer: answer})
		w.now[file("a")], w.now[file("x")] = "2", "2"
		sel := wantCodes(t, e, "internal-error+input-changed+input-appeared -")
		if r := sel.Decisions[0].Reasons; r[0].Detail != name || r[1].Entity != file("a") || r[2].Entity != file("x") {
			t.Errorf("reasons %v, want %q", r, name)
		}
	}
}

func TestJudgeShowsDifferencesHarmless(t *testing.T) {
	harmless := []rts.Difference{{Entity: file("a"), Why: "the changed branch was not taken"}}
	j := &fakeJudge{answer: func(technique.Trace) ([]rts.Reason, []rts.Difference, error) { return nil, harmless, nil }}
	w := newWorld("a", "b")
	e := judged(t, w, j)
	w.now[file("a")] = "2"
	sel := wantCodes(t, e, "- -")
	if got := sel.Decisions[0].Proof.Differences; !slices.Equal(got, harmless) {
		t.Errorf("differences %v", got)
	}
	if got := sel.Decisions[1].Proof.Differences; len(got) != 0 {
		t.Errorf("the other test has differences %v", got)
	}
	if want := []rts.Change{{Entity: file("a"), Code: rts.InputChanged}}; !slices.Equal(sel.Changes, want) {
		t.Errorf("changes %v, want %v", sel.Changes, want)
	}
	if len(j.asked) != 1 {
		t.Errorf("asked %d times, want once: the other test has no difference", len(j.asked))
	}
}

func TestJudgeGivesReasons(t *testing.T) {
	reason := rts.Reason{Code: rts.InputChanged, Entity: file("a"), Path: []string{"q", "a"}, Detail: "now b"}
	j := &fakeJudge{answer: func(technique.Trace) ([]rts.Reason, []rts.Difference, error) { return []rts.Reason{reason}, nil, nil }}
	w := newWorld("a")
	e := judged(t, w, j)
	w.now[file("a")] = "2"
	sel := wantCodes(t, e, "input-changed")
	if r := sel.Decisions[0].Reasons[0]; r.Detail != "now b" || !slices.Equal(r.Path, reason.Path) {
		t.Errorf("reason %+v", r)
	}
}

// TestJudgeSeesTrace checks what a judge is given: the differing uses with entries and label, and all uses.
func TestJudgeSeesTrace(t *testing.T) {
	w := newWorld("a")
	w.now[file("body")], w.now[file("shared")] = "1", "1"
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		n := sink.Shared(rts.Footprint{Label: "init", Uses: []rts.Use{w.use(file("shared"))}})
		narrowed := w.use(file("body"))
		narrowed.Entries = []uint32{1, 4}
		res := Result{Record: rts.Record{Test: tests[0], Outcome: rts.Passed}}
		res.Own = rts.Footprint{Uses: []rts.Use{w.use(file("a")), narrowed}, Includes: []int{n}}
		sink.Body(narrowed.Digest, []byte("the body"))
		sink.Done(res)
		return nil
	}
	var uses []rts.Use
	var body string
	j := &fakeJudge{answer: func(tr technique.Trace) (_ []rts.Reason, _ []rts.Difference, err error) {
		uses, err = tr.All()
		return nil, nil, err
	}}
	e := judged(t, w, j)
	e.Config.NewJudge = func(b technique.Bodies) technique.Judge {
		text, ok, err := b.Body(digest.OfString("1"))
		if !ok || err != nil {
			t.Errorf("body: %v, %v", ok, err)
		}
		body = string(text)
		return j
	}
	w.now[file("body")], w.now[file("shared")] = "2", "3"
	wantCodes(t, e, "-")
	var got []string
	for _, s := range j.asked[0].Stale {
		got = append(got, s.Use.Entity.Name+" through "+s.Through+" now "+s.Now.Short())
	}
	want := []string{"body through  now " + digest.OfString("2").Short(), "shared through init now " + digest.OfString("3").Short()}
	if !slices.Equal(got, want) {
		t.Errorf("stale %q, want %q", got, want)
	}
	if e := j.asked[0].Stale[0].Use.Entries; !slices.Equal(e, []uint32{1, 4}) {
		t.Errorf("entries %v", e)
	}
	if len(uses) != 3 || body != "the body" {
		t.Errorf("uses %v, body %q", uses, body)
	}
}

// TestFootprintIsJudgedOnce checks that tests with one footprint share one judgement.
func TestFootprintIsJudgedOnce(t *testing.T) {
	w := newWorld("a", "b")
	w.reads["m#b"] = w.reads["m#a"]
	j := &fakeJudge{answer: func(tr technique.Trace) ([]rts.Reason, []rts.Difference, error) {
		return []rts.Reason{tr.Stale[0].Reason()}, nil, nil
	}}
	e := judged(t, w, j)
	w.now[file("a")] = "2"
	sel := wantCodes(t, e, "input-changed input-changed")
	if len(j.asked) != 1 {
		t.Errorf("judged %d times", len(j.asked))
	}
	if want := []rts.Change{{Entity: file("a"), Code: rts.InputChanged, Tests: 2}}; !slices.Equal(sel.Changes, want) {
		t.Errorf("changes %v, want %v", sel.Changes, want)
	}
}

// binned runs every test with a definition of its own, and with the bin of tests that read the same.
func binned(w *world) func(ctx context.Context, tests []rts.TestID, sink Sink) error {
	return func(_ context.Context, tests []rts.TestID, sink Sink) error {
		bin := sink.Shared(rts.Footprint{Uses: []rts.Use{w.use(file("x")), w.use(file("y"))}})
		for _, id := range tests {
			sink.Done(Result{Record: rts.Record{Test: id, Outcome: rts.Passed}, Own: rts.Footprint{Uses: []rts.Use{w.use(definition(id))}, Includes: []int{bin}}})
		}
		return nil
	}
}

func definition(id rts.TestID) rts.Entity { return rts.Entity{Kind: rts.KindTest, Name: string(id)} }

// TestBinIsJudgedOnce checks that what tests with equal traces have in common is judged once, and that a test whose own definition differs is
// judged by itself, with all that it used.
func TestBinIsJudgedOnce(t *testing.T) {
	w := newWorld("a", "b", "c")
	w.now[file("x")], w.now[file("y")] = "1", "1"
	for _, x := range w.tests {
		w.now[definition(x.ID)] = "1"
	}
	w.runner = binned(w)
	var sizes []int
	j := &fakeJudge{answer: func(tr technique.Trace) ([]rts.Reason, []rts.Difference, error) {
		uses, err := tr.All()
		sizes = append(sizes, len(tr.Stale), len(uses))
		return []rts.Reason{tr.Stale[0].Reason()}, nil, err
	}}
	e := judged(t, w, j)
	w.now[file("x")] = "2"
	wantCodes(t, e, "input-changed input-changed input-changed")
	if want := []int{1, 2}; !slices.Equal(sizes, want) {
		t.Errorf("differences and uses of each judgement %v, want %v", sizes, want)
	}
	sizes = nil
	w.now[definition("m#b")] = "2"
	wantCodes(t, e, "input-changed input-changed input-changed")
	if want := []int{1, 2, 2, 3}; !slices.Equal(sizes, want) {
		t.Errorf("differences and uses of each judgement %v, want %v", sizes, want)
	}
	j.answer = func(technique.Trace) ([]rts.Reason, []rts.Difference, error) { return nil, nil, nil }
	wantCodes(t, e, "- - -")
}

// TestLabelledFootprintIsNoBin: what set-up and the like share is only a part of a trace, so the judge sees it with the test's own uses.
func TestLabelledFootprintIsNoBin(t *testing.T) {
	w := newWorld("a", "b")
	w.now[file("inner")], w.now[file("outer")] = "1", "1"
	w.runner = layered(w)
	seen := 0
	e := judged(t, w, &fakeJudge{answer: func(tr technique.Trace) ([]rts.Reason, []rts.Difference, error) {
		uses, err := tr.All()
		seen = len(uses)
		return nil, nil, err
	}})
	w.now[file("outer")] = "2"
	wantCodes(t, e, "- -")
	if seen != 3 {
		t.Errorf("the judge sees %d uses, want 3", seen)
	}
}

func TestChangesAreSorted(t *testing.T) {
	w := newWorld("a", "b", "c")
	e := w.engine()
	runs(t, e, minute(0))
	for _, name := range []string{"c", "a", "b"} {
		w.now[file(name)] = "2"
	}
	var names []string
	for _, c := range selects(t, e).Changes {
		names = append(names, c.Entity.Name)
	}
	if got := strings.Join(names, " "); got != "a b c" {
		t.Errorf("changes %q", got)
	}
}
