package statements

import (
	"context"
	"fmt"
	"time"

	"winnow/internal/semantics/minijvm"
)

// A Check says what to check. The zero value checks all statements on one core, with the seed 0 and few programs.
type Check struct {
	Seed uint64
	// Statement is the number of the only statement to check; 0 means all.
	Statement int
	Workers   int
	// Batches is the number of batches of random programs in each strength.
	Batches int
	// Bound says how much of the bound is checked; its Workers are those of the Check.
	Bound Exhaustive
	// Report, if set, is told from time to time what is being done.
	Report func(string)
	// Lacking, if set, is a smart function that is put in place of the right one, to see that the check notices.
	Lacking *minijvm.Function
}

// A Row is a line of the table of statements.
type Row struct {
	Statement int    `json:"statement"`
	Place     string `json:"paper"`
	Claim     string `json:"claim"`
	Strength  string `json:"well_formed"`
	Programs  uint64 `json:"programs"`
	Pairs     uint64 `json:"pairs"`
	// Held is the number of pairs whose premise held: nothing that was collected changed. For statement 1 it counts steps.
	Held  uint64 `json:"premise_held"`
	Steps uint64 `json:"steps"`
	// OK tells whether the row is as it should be: the claim held, or what should be refuted was.
	OK     bool   `json:"ok"`
	Result string `json:"result"`
	Seed   uint64 `json:"seed"`
	// Pair is a shrunk counterexample in text form, and Repeat the command that finds it again.
	Pair   string `json:"counterexample,omitempty"`
	Detail string `json:"detail,omitempty"`
	Repeat string `json:"repeat,omitempty"`
}

// A Table is the result of a check.
type Table struct {
	Rows []Row
	// Bounded is nil if no claim about all programs was checked.
	Bounded    *Bounded
	Random     uint64 // random programs
	Unfinished uint64
	// Ran is the number of steps of the machine, in all.
	Ran  uint64
	Took time.Duration
}

// OK tells whether every row is as it should be.
func (t *Table) OK() bool {
	for _, r := range t.Rows {
		if !r.OK {
			return false
		}
	}
	return len(t.Rows) > 0
}

// Statements returns the numbers of the statements that a Check knows.
func Statements() []int { return []int{1, 2, 3, 4, 5, 7} }

// Claims returns a row without counts for every claim of statements 1 to 4.
func Claims() []Row {
	var all []Row
	for _, d := range descriptions {
		all = append(all, Row{Statement: d.statement, Place: d.place, Claim: d.claims})
	}
	return all
}

// Run checks. An error means that the check could not be carried out; a statement that does not hold is a row of the table.
func (c Check) Run(ctx context.Context) (*Table, error) {
	start := time.Now()
	r := &checking{Check: c, ctx: ctx, table: &Table{}}
	if err := c.Bound.ready(); err != nil {
		return nil, err
	}
	if c.wants(5) {
		r.published()
	}
	if c.wants(7) {
		r.suspects()
	}
	if c.wants(1) || c.wants(2) || c.wants(3) || c.wants(4) {
		if err := r.claims(); err != nil {
			return nil, err
		}
	}
	r.table.Took = time.Since(start)
	return r.table, ctx.Err()
}

func (c Check) wants(statement int) bool { return c.Statement == 0 || c.Statement == statement }

// checking is one run of a Check.
type checking struct {
	Check
	ctx   context.Context
	table *Table
}

func (r *checking) report(format string, args ...any) {
	if r.Report != nil {
		r.Report(fmt.Sprintf(format, args...))
	}
}

// claims checks statements 1 to 4: random programs first, because they are quick to find a mistake, then the bound.
func (r *checking) claims() error {
	var total Tally
	var sampled []*Sampled
	for _, strength := range []minijvm.Strength{minijvm.Paper, minijvm.Missing} {
		random := Random{Seed: r.Seed, Batches: r.Batches, Workers: r.Workers, Strength: strength, lacking: r.Lacking}
		random.Report = func(done int) {
			r.report("random programs, well-formed as %s: %d of %d", strength, done*batchSize, r.Batches*batchSize)
		}
		out, err := random.Run(r.ctx)
		if err != nil {
			return err
		}
		total.Add(&out.Tally)
		sampled = append(sampled, out)
		r.table.Random += uint64(r.Batches * batchSize)
	}
	bound := r.Bound
	bound.Workers, bound.lacking = r.Workers, r.Lacking
	bound.Report = func(p Progress) {
		r.report("bound: block %d of %d, %d pairs, %.0f/s, %s left", p.Done, p.Blocks, p.Pairs, p.Rate, p.Left.Round(time.Second))
	}
	bounded, err := bound.Run(r.ctx)
	if err != nil {
		return err
	}
	total.Add(&bounded.Tally)
	r.table.Bounded, r.table.Unfinished, r.table.Ran = bounded, total.Unfinished, total.Ran
	r.rows(&total, sampled, bounded)
	return nil
}

// rows makes a row of every claim in each strength.
func (r *checking) rows(total *Tally, sampled []*Sampled, bounded *Bounded) {
	var rows []Row
	for c := range claims {
		d := descriptions[c]
		if !r.wants(d.statement) {
			continue
		}
		for s := range total.Claims {
			n := total.Claims[s][c]
			row := Row{Statement: d.statement, Place: d.place, Claim: d.claims, Strength: minijvm.Strength(s).String(), Programs: n.Programs, Pairs: n.Pairs, Held: n.Held, Steps: n.Steps,
				Result: "holds", Seed: r.Seed, OK: true}
			r.judge(&row, c, sampled[s], bounded)
			rows = append(rows, row)
		}
	}
	r.table.Rows = append(rows, r.table.Rows...)
}

// judge looks for a failure of a claim, and for a claim that was never put to the test.
func (r *checking) judge(row *Row, c Claim, sampled *Sampled, bounded *Bounded) {
	fail, repeat := sampled.Failure, fmt.Sprintf("winnow lab check --statement %d --seed %d --batches 1", row.Statement, sampled.FailedSeed)
	if fail == nil || fail.Claim != c {
		fail, repeat = bounded.Failure, fmt.Sprintf("winnow lab check --statement %d --exhaustive", row.Statement)
	}
	switch {
	case fail != nil && fail.Claim == c && fail.Strength.String() == row.Strength:
		small := r.shrink(fail)
		row.OK, row.Result, row.Detail, row.Pair, row.Repeat = false, "FAILS", small.Detail, small.Pair.String(), repeat
	case sampled.Failure != nil || bounded.Failure != nil:
		row.OK, row.Result = false, "not finished" // the check ended with the first failure
	case row.Programs == 0 && row.Pairs == 0 || c.ofPairs() && row.Held == 0:
		row.OK, row.Result = false, "NOT CHECKED"
	}
}

// shrink makes the pair of a failure smaller as long as the same claim fails.
func (r *checking) shrink(f *Failure) *Failure {
	small := *f
	check := newChecker(randomLimit)
	if r.Lacking != nil {
		check.functions[smartSet] = r.Lacking
	}
	again := func(p minijvm.Pair) *Failure { return check.check(p, strengthOf(f.Strength)) }
	if f.Claim == Histories {
		again = check.outer
	}
	fails := func(p minijvm.Pair) bool {
		g := again(p)
		return g != nil && g.Claim == f.Claim
	}
	small.Pair = shrink(f.Pair, f.Strength, fails)
	if fails(small.Pair) {
		small.Detail = again(small.Pair).Detail
	}
	return &small
}

// outer checks a history by its first and last program: what changed between them is in no collection that none of the changes met.
func (c *checker) outer(p minijvm.Pair) *Failure {
	if p.After == nil || p.After.Class(minijvm.Test) == nil || !p.After.Class(minijvm.Test).Equal(p.Before.Class(minijvm.Test)) {
		return nil
	}
	for _, f := range c.functions {
		if _, err := follow(f, p.Before, p.After); err != nil {
			return &Failure{Claim: Histories, Pair: p, Detail: f.Name() + ": " + err.Error()}
		}
	}
	return nil
}

// check checks all claims on one pair.
func (c *checker) check(p minijvm.Pair, in strengths) *Failure {
	ended, fail := c.program(p.Before, in)
	if fail == nil && ended && p.After != nil {
		return c.pair(p.After, p.Before.Changed(p.After), in)
	}
	return fail
}

// The refutations try at most so many pairs each.
const refutingPairs = 1_000_000

// published refutes Ekstazi as published until there are a few counterexamples, a relative of Figure 1 among them.
func (r *checking) published() {
	r.report("searching for counterexamples to Ekstazi as published")
	const few = 5
	x := Published()
	found, tried := x.Refute(r.ctx, r.Seed, refutingPairs, func(all []Counterexample) bool {
		return len(all) >= few && relative(all) != nil
	})
	row := r.refuted(5, "3.2.1", "Ekstazi as published is not safe, and a relative of Figure 1 shows it", x, found, tried)
	row.Result = fmt.Sprintf("refuted %d times", len(found))
	if like := relative(found); like == nil {
		row.OK, row.Result = false, "NO RELATIVE OF FIGURE 1"
	} else {
		row.Pair = like.Shrunk.String()
	}
	r.table.Rows = append(r.table.Rows, row)
}

func relative(all []Counterexample) *Counterexample {
	for i := range all {
		if all[i].Figure1 {
			return &all[i]
		}
	}
	return nil
}

// suspects refutes every function that lacks a clause.
func (r *checking) suspects() {
	for _, x := range Suspects() {
		r.report("searching for a counterexample to %s", x.Function.Name())
		found, tried := x.Refute(r.ctx, r.Seed, refutingPairs, func([]Counterexample) bool { return true })
		r.table.Rows = append(r.table.Rows, r.refuted(7, "", x.Function.Name()+" is wrong", x, found, tried))
	}
}

func (r *checking) refuted(statement int, place, claim string, x Suspect, found []Counterexample, tried uint64) Row {
	row := Row{Statement: statement, Place: place, Claim: claim, Strength: x.Strength.String(), Pairs: tried, Held: uint64(len(found)), Seed: r.Seed, OK: true, Result: "refuted",
		Repeat: fmt.Sprintf("winnow lab check --statement %d --seed %d", statement, r.Seed)}
	if len(found) == 0 {
		row.OK, row.Result = false, "NOT REFUTED"
		return row
	}
	row.Pair = found[0].Shrunk.String()
	return row
}
