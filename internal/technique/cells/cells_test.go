package cells

import (
	"errors"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/technique"
)

// The spreadsheet example of Bible and Rothermel, as package safespace has it: a cell is added that one changed formula refers to.
var (
	paperOld = table{
		"A1": "3", "A2": "4", "A3": "5",
		"B1": "=OR(A1=0,A2<0)", "B2": `=IF(B1,"bad",A3)`, "B3": "=A2+A3",
		"entry": "B2", "solution": "B3",
	}
	paperNew = paperOld.with("B4", "=2*A3", "B3", "=A2+B4")
)

func TestSpreadsheetOfThePaper(t *testing.T) {
	for _, c := range []struct {
		test test
		want string
	}{
		{test{query: "entry", reads: "B2 B1 A1 A2 A3"}, "the same"},
		{test{query: "solution", reads: "B3 A2 A3"}, "input-changed cell A3 (now B4): B3 A3"},
	} {
		if got := judged(t, c.test, paperOld, paperNew, safety.Rules{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.test.query, got, c.want)
		}
	}
}

var block = table{
	"A1": "3", "A2": "4", "A3": "9", "B1": "=IF(A1>0,A2,A3)", "B2": "=B1*2", "total": "B2",
}

// blockMoved is the block two columns further to the right.
var blockMoved = table{
	"C1": "3", "C2": "4", "C3": "9", "D1": "=IF(C1>0,C2,C3)", "D2": "=D1*2", "total": "D2",
}

func TestMoves(t *testing.T) {
	asked := test{query: "total", reads: "B2 B1 A1 A2"} // the branch A3 is not taken
	const harmless = "harmless: A1, A2, B1, B2, total → B2"
	for _, c := range []struct {
		name string
		now  table
		want string
	}{
		{"nothing", block, "the same"},
		{"everything moved", blockMoved, harmless},
		{"the branch not taken changed", block.with("A3", "=1/0"), "the same"},
		{"moved, and the branch not taken changed", blockMoved.with("C3", "=1/0"), harmless},
		{"moved, and a value changed", blockMoved.with("C2", "5"), "input-changed cell A2 (now C2): B2 B1 A2"},
		{"moved, and a formula changed", blockMoved.with("D1", "=IF(C1>1,C2,C3)"), "input-changed cell B1 (now D1): B2 B1"},
		{"a formula moved alone", block.with("B1", "", "E5", "=IF(A1>0,A2,A3)", "B2", "=E5*2"), "harmless: B1, B2"},
		{"a formula reads another cell of equal content", block.with("B2", "=C7*2", "C7", "=IF(A1>0,A2,A3)", "B1", "5"), "harmless: B1, B2"},
		{"references swapped", block.with("B1", "=IF(A2>0,A1,A3)"), "input-changed cell A1 (now A2): B2 B1 A1; input-changed cell A2 (now A1): B2 B1 A2"},
		{"a cell became blank", block.with("A2", ""), "input-removed cell A2: B2 B1 A2"},
		{"the name is gone", block.with("total", ""), "input-changed cell B2: B2"},
		{"the name stands for a blank cell", block.with("total", "Z9"), "input-removed cell B2 (now Z9): B2"},
		{"the name stands for another cell", block.with("total", "B1"), "input-changed cell B2 (now B1): B2"},
	} {
		if got := judged(t, asked, block, c.now, safety.Rules{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestBlankCells covers (S5.2): a blank cell that was read is an input.
func TestBlankCells(t *testing.T) {
	before := table{"A1": "3", "B1": "=A1+A2", "q": "B1"}
	asked := test{query: "q", reads: "B1 A1 A2"}
	if got, want := judged(t, asked, before, before.with("A2", "1"), safety.Rules{}), "input-appeared cell A2: B1 A2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	moved := table{"A4": "3", "B4": "=A4+A5", "q": "B4"}
	if got, want := judged(t, asked, before, moved, safety.Rules{}), "harmless: A1, B1, q → B1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := judged(t, asked, before, moved.with("A5", "1"), safety.Rules{}), "input-appeared cell A2 (now A5): B1 A2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAreas covers (S5.3): which cells of an area are filled is an input.
func TestAreas(t *testing.T) {
	before := table{"A1": "3", "A3": "4", "B1": "=SUM(A1:A3)", "q": "B1"}
	asked := test{query: "q", reads: "B1 A1:A3 A1 A3"}
	moved := table{"A4": "3", "A6": "4", "B1": "=SUM(A4:A6)", "q": "B1"}
	for _, c := range []struct {
		name string
		now  table
		want string
	}{
		{"a blank cell is filled", before.with("A2", "0"), "input-changed area A1:A3: B1 A1:A3"},
		{"a cell is emptied", before.with("A3", ""), "input-changed area A1:A3: B1 A1:A3"},
		{"a value changed", before.with("A3", "5"), "input-changed cell A3: B1 A1:A3 A3"},
		{"the area grew over a blank cell", before.with("B1", "=SUM(A1:A4)"), "harmless: B1"},
		{"the area moved", moved, "harmless: A1:A3, A1, A3, B1"},
		{"the area moved and was filled", moved.with("A5", "1"), "input-changed area A1:A3 (now A4:A6): B1 A1:A3"},
	} {
		if got := judged(t, asked, before, c.now, safety.Rules{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestSetCells covers (S5.4): the place that a test sets counts, its formula does not.
func TestSetCells(t *testing.T) {
	before := table{"A1": "=1/0", "A2": "4", "B1": "=A1*A2", "q": "B1", "rate": "A1"}
	asked := test{query: "q", sets: []string{"rate"}, reads: "B1 A2"}
	for _, c := range []struct {
		name string
		now  table
		want string
	}{
		{"the formula under the value changed", before.with("A1", "=2/0"), "the same"},
		{"the name moved away", before.with("rate", "A5"), "input-changed cell A1: B1 A1"},
		{"the name moved along", before.with("rate", "A5", "B1", "=A5*A2"), "harmless: B1, rate → A1"},
		{"the name moved onto an input", before.with("rate", "A2"), "input-changed cell A1: B1 A1; input-changed cell A2: B1 A2"},
		{"the name is gone", before.with("rate", ""), "input-changed cell A1 (the input rate stands for another cell now)"},
	} {
		if got := judged(t, asked, before, c.now, safety.Rules{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	two := before.with("fee", "A3")
	asked = test{query: "q", sets: []string{"fee", "rate"}, reads: "B1 A2"} // the fee is not read
	const clash = "input-changed cell A1 (the input rate stands for another cell now)"
	if got := judged(t, asked, two, two.with("fee", "A1"), safety.Rules{}); got != clash {
		t.Errorf("two inputs stand for one cell: %q, want %q", got, clash)
	}
	if got, want := judged(t, asked, two, two.with("fee", "A4"), safety.Rules{}), "harmless: fee → A3"; got != want {
		t.Errorf("an input that is not read moved: %q, want %q", got, want)
	}
	inside := table{"A1": "3", "B1": "=SUM(A1:A3)", "q": "B1", "rate": "A2"}
	asked = test{query: "q", sets: []string{"rate"}, reads: "B1 A1:A3 A1"}
	if got, want := judged(t, asked, inside, inside.with("rate", "A3"), safety.Rules{}), "input-changed area A1:A3: B1 A1:A3"; got != want {
		t.Errorf("set inside an area: %q, want %q", got, want)
	}
	along := table{"C1": "3", "B1": "=SUM(C1:C3)", "q": "B1", "rate": "C2"}
	if got, want := judged(t, asked, inside, along, safety.Rules{}), "harmless: A1:A3, A1, B1, rate → A2"; got != want {
		t.Errorf("set inside an area that moved: %q, want %q", got, want)
	}
}

// TestEveryReadCounts covers (S5.6): what was read although no recorded formula refers to it counts as it is.
func TestEveryReadCounts(t *testing.T) {
	before := table{"A1": "3", "A2": "4", "B1": "=INDIRECT(A1)", "q": "B1"}
	asked := test{query: "q", reads: "B1 A1 A2"}
	for rules, want := range map[safety.Rules]string{
		{}:                                       "input-changed cell A2",
		safety.Without(safety.EveryReadCompared): "harmless: A2",
	} {
		if got := judged(t, asked, before, before.with("A2", "5"), rules); got != want {
			t.Errorf("%+v: %q, want %q", rules, got, want)
		}
	}
	both := before.with("A2", "5", "A1", "6")
	if got, want := judged(t, asked, before, both, safety.Rules{}), "input-changed cell A1: B1 A1; input-changed cell A2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOutsideTheGraph: what is no part of the graph is compared as a whole, and nothing is walked.
func TestOutsideTheGraph(t *testing.T) {
	file := rts.Use{Entity: rts.Entity{Kind: rts.KindFile, Name: "rates.csv"}, Digest: digest.OfString("1")}
	tr := technique.Trace{
		Stale: []technique.Stale{{Use: rts.Use{Entity: cell("A1"), Digest: digest.Absent}}, {Use: file, Now: digest.Absent}},
		All:   func() ([]rts.Use, error) { return nil, errors.New("must not be asked") },
	}
	reasons, harmless, err := New(&program{}, bodies{}, safety.Rules{}).Judge(tr)
	if err != nil || len(harmless) != 0 || len(reasons) != 1 || reasons[0].String() != "input-removed file rates.csv" {
		t.Errorf("%v, %v, %v", reasons, harmless, err)
	}
}

// TestErrors lists what makes a judgement impossible. Each is an error, which selects.
func TestErrors(t *testing.T) {
	asked := test{query: "total", reads: "B2 B1 A1 A2"}
	uses := asked.uses(block)
	moved := trace(uses, blockMoved)
	whole := bodies{table: block, uses: uses}
	lost, unreadable := whole, whole
	lost.lost = "B1"
	unreadable.err = errBroken
	partly := test{query: "total", reads: "B1 A1 A2"}.uses(block)
	noQuery := test{reads: "B2 B1 A1 A2"}.uses(block)[:4]
	for _, c := range []struct {
		name    string
		program program
		old     bodies
		trace   technique.Trace
		want    string
	}{
		{"uses cannot be read", program{}, whole, technique.Trace{Stale: moved.Stale, All: func() ([]rts.Use, error) { return nil, errBroken }}, "broken"},
		{"no query", program{}, whole, trace(noQuery, blockMoved), "no query"},
		{"the query cell is not in the trace", program{}, whole, trace(partly, blockMoved), "cell B2 was read and is not in the trace"},
		{"a body is lost", program{}, lost, moved, "the recorded content of cell B1 is not known"},
		{"a body cannot be read", program{}, unreadable, moved, "broken"},
		{"an old formula cannot be parsed", program{broken: "old B1"}, whole, moved, "broken"},
		{"a new formula cannot be parsed", program{broken: "new D1"}, whole, moved, "broken"},
		{"the new query cannot be parsed", program{broken: "new D2"}, whole, moved, "broken"},
	} {
		c.program.now = blockMoved
		reasons, harmless, err := New(&c.program, c.old, safety.Rules{}).Judge(c.trace)
		if err == nil || err.Error() != c.want || len(reasons)+len(harmless) != 0 {
			t.Errorf("%s: %v, %v, %v; want %q", c.name, reasons, harmless, err, c.want)
		}
	}
}
