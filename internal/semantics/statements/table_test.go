package statements

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"winnow/internal/semantics/generate"
	"winnow/internal/semantics/minijvm"
)

func readExample(t *testing.T, name string) minijvm.Pair {
	t.Helper()
	text, err := os.ReadFile("../../../examples/lab/" + name)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := minijvm.ParsePair(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// TestTable checks that every statement has rows and that all are as they should be.
func TestTable(t *testing.T) {
	table, err := Check{Seed: 1, Workers: 2, Batches: 4, Bound: Exhaustive{Every: 1049}}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var seen []int
	for _, r := range table.Rows {
		seen = append(seen, r.Statement)
		if !r.OK {
			t.Errorf("%+v", r)
		}
	}
	if got := slices.Compact(seen); !slices.Equal(got, Statements()) {
		t.Errorf("statements %v, want %v", got, Statements())
	}
	if !table.OK() || (&Table{}).OK() {
		t.Error("a table is not as its rows are, or an empty one is fine")
	}
}

// TestTableNotices puts a wrong function in the place of smart: the table says so, with a small program.
func TestTableNotices(t *testing.T) {
	for statement, clause := range map[int]minijvm.Clause{2: minijvm.AtCalling, 3: minijvm.Between} {
		f := minijvm.Smart().Lacking(clause)
		table, err := Check{Seed: 1, Statement: statement, Workers: 2, Batches: 2, Bound: Exhaustive{Every: 1049}, Lacking: f}.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(table.Rows, func(r Row) bool { return r.Result == "FAILS" })
		if table.OK() || i < 0 {
			t.Errorf("%s: nothing fails", f.Name())
			continue
		}
		r := table.Rows[i]
		if n := strings.Count(r.Pair, "\n"); n == 0 || n > 50 || r.Detail == "" || !strings.HasPrefix(r.Repeat, "winnow lab check --statement ") {
			t.Errorf("%s: %d lines, %q, %q\n%s", f.Name(), n, r.Detail, r.Repeat, r.Pair)
		}
	}
}

// TestNotChecked checks that a claim whose premise never held is not said to hold.
func TestNotChecked(t *testing.T) {
	r := &checking{table: &Table{}}
	row := Row{Pairs: 10, Result: "holds", OK: true}
	r.judge(&row, NaiveSafe, &Sampled{}, &Bounded{})
	if row.OK || row.Result != "NOT CHECKED" {
		t.Errorf("got %+v", row)
	}
}

// TestHistoriesShrink follows histories with Ekstazi as published: the first one that fails is shrunk, and fails still.
func TestHistoriesShrink(t *testing.T) {
	b := &batch{source: generate.NewSource(generate.Config{}, 1), checker: newChecker(randomLimit), in: strengthOf(minijvm.Paper)}
	b.functions[smartSet] = minijvm.Published()
	for range 20_000 {
		p := b.source.Program()
		b.program(p, b.in) // notices the wrong function by other claims as well
		fail := b.history(p)
		if fail == nil {
			continue
		}
		small := (&checking{Check: Check{Lacking: minijvm.Published()}}).shrink(fail)
		if size(small.Pair) >= size(fail.Pair) || b.outer(small.Pair) == nil || small.Detail == "" {
			t.Errorf("from %d to %d, %q\n%s", size(fail.Pair), size(small.Pair), small.Detail, small.Pair)
		}
		return
	}
	t.Error("no history fails with Ekstazi as published")
}
