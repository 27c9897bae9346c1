package sheet

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/sheet/sheettest"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/technique"
	"winnow/internal/technique/cells"
)

var (
	histories = flag.Int("histories", 120, "number of random workbook histories")
	firstSeed = flag.Uint64("seed", 1, "seed of the first history")
)

// A history is a random workbook with tests and random edits. Edits are lines for sheettest; an edit that starts with "tests" changes the tests.
type history struct {
	seed  uint64
	book  []string
	tests []string
	edits [][]string
}

const gridRows, gridCols = 6, 3

func cellAt(i int) string { return fmt.Sprintf("%c%d", 'A'+i%gridCols, 1+i/gridCols) }

// newHistory makes a history. A formula reads only cells that come before its own in the order of sheets and cells, so there are no cycles.
func newHistory(seed uint64) history {
	r := rand.New(rand.NewPCG(seed, 9))
	h := history{seed: seed}
	for s := 1; s <= 2; s++ {
		for i := range gridRows * gridCols {
			if c := randomCell(r, s, i); c != "" {
				h.book = append(h.book, fmt.Sprintf("S%d!%s %s", s, cellAt(i), c))
			}
		}
	}
	h.book = append(h.book, "S1!A1 1", "S2!A1 2", "name rate1 S1!$A$1", "name rate2 S1!$B$2")
	for i := range 3 + r.IntN(4) {
		h.tests = append(h.tests, randomTest(r, i))
	}
	for range 2 + r.IntN(4) {
		var step []string
		for range 1 + r.IntN(2) {
			step = append(step, randomEdit(r))
		}
		h.edits = append(h.edits, step)
	}
	return h
}

// randomCell is a constant, a formula or nothing.
func randomCell(r *rand.Rand, sheet, i int) string {
	ref := func() string {
		if sheet == 2 && r.IntN(3) == 0 {
			return "S1!" + cellAt(r.IntN(gridRows*gridCols))
		}
		return cellAt(r.IntN(i))
	}
	area := func() string { // rows above the cell's own
		rows := i / gridCols
		a, b := r.IntN(rows), r.IntN(rows)
		return fmt.Sprintf("%s:%s", cellAt(min(a, b)*gridCols+r.IntN(2)), cellAt(max(a, b)*gridCols+2))
	}
	switch k := r.IntN(22); {
	case k >= 12 && i >= gridCols:
		return lookingCell(r, ref, area)
	case k < 2:
		return ""
	case k < 5 || i < gridCols:
		return fmt.Sprint(r.IntN(9))
	case k < 6:
		return fmt.Sprintf("=%s+%s", ref(), ref())
	case k < 7:
		return fmt.Sprintf("=IF(%s>%d,%s,%s*2)", ref(), r.IntN(6), ref(), ref())
	case k < 8:
		return fmt.Sprintf("=SUM(%s)*%d", area(), 1+r.IntN(3))
	case k < 9 && sheet == 2:
		return fmt.Sprintf("=rate%d+%s", 1+r.IntN(2), ref())
	case k < 10:
		return fmt.Sprintf("=CHOOSE(1+MOD(ABS(INT(%s)),2),%s,%s)", ref(), ref(), ref())
	case k < 11:
		return fmt.Sprintf("=IFERROR(10/%s,%s)", ref(), ref())
	}
	return fmt.Sprintf("=MAX(%s,%s)-%s", area(), ref(), ref())
}

// lookingCell is a formula that looks at places, sizes, blanks or kinds of what it reads.
func lookingCell(r *rand.Rand, ref, area func() string) string {
	column := string(rune('A' + r.IntN(gridCols)))
	switch r.IntN(14) {
	case 0:
		return fmt.Sprintf("=ROW(%s)*COLUMN(%s)", ref(), ref())
	case 11:
		return fmt.Sprintf("=ROW(rate%d)", 1+r.IntN(2))
	case 12:
		return fmt.Sprintf("=ROW(S1!%s)", cellAt(r.IntN(gridRows*gridCols)))
	case 1:
		return fmt.Sprintf("=ROWS(%s)+%s", area(), ref())
	case 2:
		return fmt.Sprintf("=INDEX(%s,1,1)+COUNTA(%s)", area(), area())
	case 3:
		return fmt.Sprintf("=IFERROR(MATCH(%d,S1!%s1:%s6,0),-1)", r.IntN(9), column, column)
	case 4:
		return fmt.Sprintf("=COUNTBLANK(%s)+COUNT(%s)", area(), area())
	case 5:
		return fmt.Sprintf("=IF(ISBLANK(%s),%s,7)", ref(), ref())
	case 6:
		return fmt.Sprintf("=SUMIF(%s,\">%d\")", area(), r.IntN(6))
	case 7:
		return fmt.Sprintf("=IFERROR(VLOOKUP(%d,S1!A1:C6,2,FALSE),%s)", r.IntN(9), ref())
	case 8:
		return fmt.Sprintf("=COUNTIF(%s,%s)", area(), ref())
	case 9:
		return fmt.Sprintf("=SWITCH(%s,1,%s,2,%s,%s)", ref(), ref(), ref(), ref())
	case 10:
		return fmt.Sprintf("=IF(AND(%s>1,%s<7),%s,%s)", ref(), ref(), ref(), ref())
	}
	return fmt.Sprintf("=SUMPRODUCT(%s,%s)", "S1!A1:A3", "S1!B1:B3")
}

// randomTest passes whatever number comes out: what counts is the number, which the judge compares.
func randomTest(r *rand.Rand, i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "test t%d\n", i)
	for k := range r.IntN(3) {
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "  set rate%d = %d\n", k+1, r.IntN(9))
		} else {
			fmt.Fprintf(&b, "  set S%d!%s = %d\n", k+1, cellAt(r.IntN(9)), r.IntN(9))
		}
	}
	query := fmt.Sprintf("S2!%s", cellAt(9+r.IntN(9)))
	if r.IntN(6) == 0 {
		query = "rate2"
	}
	fmt.Fprintf(&b, "  expect %s = 0 within 1e300\n", query)
	return b.String()
}

func randomEdit(r *rand.Rand) string {
	sheet := 1 + r.IntN(2)
	i := gridCols + r.IntN(gridRows*gridCols-gridCols)
	switch k := r.IntN(20); {
	case k < 8:
		if c := randomCell(r, sheet, i); c != "" {
			return fmt.Sprintf("S%d!%s %s", sheet, cellAt(i), c)
		}
		return fmt.Sprintf("clear S%d!%s", sheet, cellAt(i))
	case k < 10:
		return fmt.Sprintf("clear S%d!%s", sheet, cellAt(i))
	case k < 12:
		return fmt.Sprintf("S%d!%s %d", sheet, cellAt(r.IntN(gridRows*gridCols)), r.IntN(9))
	case k < 14:
		return fmt.Sprintf("name rate%d S1!$%c$%d", 1+r.IntN(2), 'A'+r.IntN(3), 1+r.IntN(4))
	case k < 16:
		return fmt.Sprintf("insert-row S%d %d", sheet, 1+r.IntN(6))
	case k < 17:
		return fmt.Sprintf("insert-column S%d %c", sheet, 'A'+r.IntN(3))
	case k < 18:
		return fmt.Sprintf("remove-row S%d %d", sheet, 2+r.IntN(5))
	}
	return "tests " + randomTest(r, r.IntN(3))
}

// A result is a test that left the run.
type collector struct{ results map[rts.TestID]rts.Record }

func (c *collector) Shared(rts.Footprint) int   { return 0 }
func (c *collector) Body(digest.Digest, []byte) {}
func (c *collector) NotRun(rts.TestID, string)  {}
func (c *collector) Done(r engine.Result)       { c.results[r.Record.Test] = r.Record }

// figures count what was judged.
type figures struct{ selections, tests, selected, leftOut, narrowed int }

var errMiss = errors.New("miss")

// play plays a history in a directory of its own.
func (h history) play(dir string, rules safety.Rules) (figures, error) {
	var f figures
	file := filepath.Join(dir, "b.xlsx")
	if err := sheettest.Make(file, strings.Join(h.book, "\n")); err != nil {
		return f, err
	}
	tests := slices.Clone(h.tests)
	st := store.New(&memory.Backend{})
	recorded := map[string]rts.Record{}
	clock := time.Unix(1000, 0).UTC()
	for step := -1; step < len(h.edits); step++ {
		if step >= 0 {
			if !applyEdits(file, h.edits[step], &tests) {
				return f, nil // the library refuses the edit: the history ends here
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "b.tests"), []byte(strings.Join(tests, "")), 0o644); err != nil {
			return f, err
		}
		clock = clock.Add(time.Minute)
		if err := judgeStep(dir, rules, st, clock, recorded, &f); err != nil {
			return f, fmt.Errorf("after edits %d: %w", step, err)
		}
	}
	return f, nil
}

// applyEdits edits the workbook and the tests; false if the workbook cannot be edited so.
func applyEdits(file string, edits []string, tests *[]string) bool {
	for _, e := range edits {
		if t, ok := strings.CutPrefix(e, "tests "); ok {
			name, _, _ := strings.Cut(t, "\n")
			*tests = slices.DeleteFunc(*tests, func(old string) bool { return strings.HasPrefix(old, name+"\n") })
			*tests = append(*tests, t)
			continue
		}
		if err := sheettest.Edit(file, e); err != nil {
			return false
		}
	}
	return true
}

func judgeStep(dir string, rules safety.Rules, st *store.Store, clock time.Time, recorded map[string]rts.Record, f *figures) error {
	p, err := Open(dir, []string{"b.tests"})
	if err != nil {
		return err
	}
	p.Rules = rules
	e := &engine.Engine{Project: p, Store: st, Config: engine.Config{
		Technique: cells.Technique, Now: func() time.Time { return clock }, Rules: rules,
		NewJudge: func(b technique.Bodies) technique.Judge { return cells.New(p, b, rules) },
	}}
	ctx := context.Background()
	sel, err := e.Select(ctx)
	if err != nil {
		return err
	}
	truth, err := truthOf(dir)
	if err != nil {
		return err
	}
	f.selections++
	for i := range sel.Decisions {
		d := &sel.Decisions[i]
		f.tests++
		if d.Obsolete != "" {
			if truth[d.Test.ID].Outcome == rts.Passed {
				return fmt.Errorf("%w: %s is called obsolete (%s), but it passes", errMiss, d.Test.ID, d.Obsolete)
			}
			continue
		}
		if d.Selected() {
			f.selected++
			continue
		}
		f.leftOut++
		if len(d.Proof.Differences) > 0 {
			f.narrowed++
		}
		before, now := recorded[d.Proof.Meta.When.String()+string(d.Test.ID)], truth[d.Test.ID]
		if now.Outcome != rts.Passed || now.Result != before.Result {
			return fmt.Errorf("%w: %s was left out, but its value is another one (%s)", errMiss, d.Test.ID, now.Outcome)
		}
	}
	rep, err := e.Run(ctx, sel, rts.Meta{When: clock}, nil)
	if err != nil || rep.RunErr != nil || rep.RecordErr != nil {
		return fmt.Errorf("run: %v, %v, %v", err, rep.RunErr, rep.RecordErr)
	}
	for i := range rep.Results {
		recorded[clock.String()+string(rep.Results[i].Record.Test)] = rep.Results[i].Record
	}
	return nil
}

// truthOf runs everything anew.
func truthOf(dir string) (map[rts.TestID]rts.Record, error) {
	p, err := Open(dir, []string{"b.tests"})
	if err != nil {
		return nil, err
	}
	var ids []rts.TestID
	for _, t := range p.Tests() {
		ids = append(ids, t.ID)
	}
	c := &collector{map[rts.TestID]rts.Record{}}
	return c.results, p.Run(context.Background(), ids, c)
}

// shrink drops edits, tests and cells as long as the history still fails.
func (h history) shrink(t *testing.T, rules safety.Rules) history {
	fails := func(g history) bool {
		_, err := g.play(t.TempDir(), rules)
		return errors.Is(err, errMiss)
	}
	lists := []func(*history) *[]string{
		func(g *history) *[]string { return &g.tests },
		func(g *history) *[]string { return &g.book },
	}
	for i := range h.edits {
		lists = append(lists, func(g *history) *[]string { return &g.edits[i] })
	}
	for smaller := true; smaller; {
		smaller = false
		for _, list := range lists {
			for k := len(*list(&h)) - 1; k >= 0; k-- {
				g := h
				g.edits = slices.Clone(h.edits)
				*list(&g) = slices.Delete(slices.Clone(*list(&h)), k, k+1)
				if len(g.tests) > 0 && fails(g) {
					h, smaller = g, true
				}
			}
		}
	}
	return h
}

func (h history) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "workbook:\n  %s\ntests:\n%s", strings.Join(h.book, "\n  "), strings.Join(h.tests, ""))
	for i, e := range h.edits {
		fmt.Fprintf(&b, "edits %d:\n  %s\n", i, strings.Join(e, "\n  "))
	}
	return b.String()
}

// playAll plays n histories on all cores until one misses.
func playAll(t *testing.T, rules safety.Rules, n int) (total figures, miss *history, fault error) {
	var mu sync.Mutex
	next := *firstSeed
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				mu.Lock()
				seed := next
				next++
				stop := seed >= *firstSeed+uint64(n) || fault != nil
				mu.Unlock()
				if stop {
					return
				}
				own := filepath.Join(dir, fmt.Sprint(seed))
				err := os.Mkdir(own, 0o755)
				h := newHistory(seed)
				var f figures
				if err == nil {
					f, err = h.play(own, rules)
				}
				mu.Lock()
				total.selections += f.selections
				total.tests += f.tests
				total.selected += f.selected
				total.leftOut += f.leftOut
				total.narrowed += f.narrowed
				if err != nil && fault == nil {
					miss, fault = &h, err
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total, miss, fault
}

// TestHistories judges the technique against computing everything. More:
//
//	go test ./internal/sheet -run TestHistories -histories 5000 -timeout 60m
func TestHistories(t *testing.T) {
	f, miss, err := playAll(t, safety.Rules{}, *histories)
	if miss != nil {
		if !errors.Is(err, errMiss) {
			t.Fatalf("seed %d: %v", miss.seed, err)
		}
		small := miss.shrink(t, safety.Rules{})
		t.Fatalf("seed %d: %v\nshrunk to\n%s\nrepeat: go test ./internal/sheet -run TestHistories -seed %d -histories 1", miss.seed, err, small, miss.seed)
	}
	t.Logf("%d histories, %d selections; of %d tests %d selected, %d left out, %d of these although something they used had changed its place; 0 misses",
		*histories, f.selections, f.tests, f.selected, f.leftOut, f.narrowed)
	if f.leftOut*10 < f.tests || f.narrowed == 0 {
		t.Errorf("%d of %d tests left out, %d narrowed: too little was judged", f.leftOut, f.tests, f.narrowed)
	}
}

// TestBrokenVariants switches each rule for spreadsheets off in turn: the histories must find a miss.
func TestBrokenVariants(t *testing.T) {
	for _, rule := range []safety.Rule{safety.BlankCounts, safety.PopulationCounts, safety.SetPlacesCount, safety.NamesCount, safety.EveryReadCompared, safety.PlacesCount} {
		t.Run(string(rule), func(t *testing.T) {
			_, miss, err := playAll(t, safety.Without(rule), 4000)
			if miss == nil || !errors.Is(err, errMiss) {
				t.Fatalf("not found: %v", err)
			}
			t.Logf("found by seed %d: %v", miss.seed, err)
		})
	}
}
