package lower

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"winnow/internal/semantics/generate"
	"winnow/internal/semantics/minijvm"
)

// A Config says how much to check. The zero value is a short check.
type Config struct {
	// Programs is how many programs run, many in one JVM; 0 means 300.
	Programs int
	// Alone says that each program gets a JVM of its own. Its test then runs once.
	Alone bool
	// Batch is how many programs share a JVM; 0 means 250.
	Batch int
	// Seed and the number of a program make the program.
	Seed uint64
	// First is the number of the first program; with Programs 1, a single one is run again.
	First int
	// Progress is told after each batch; optional.
	Progress func(*Report)
}

// A Report says what was checked.
type Report struct {
	Programs int // that ran
	Runs     int // of their tests
	Steps    int // of the semantics
	// Unfinished counts programs that took too many steps, and were not run.
	Unfinished int
	// SetAside counts runs of programs that met a known difference, by its name: they ran, and were not compared.
	SetAside map[string]int
	// Raised counts runs that ended with an exception.
	Raised int
	// Smart and Collected are the sizes of the sets of all runs that were compared, Start not counted, and Classes what they were chosen from.
	Smart, Collected, Classes int
	// Last is the number behind the last program.
	Last          int
	Disagreements []Disagreement
	Time          time.Duration
}

// NewReport returns an empty report.
func NewReport() *Report { return &Report{SetAside: map[string]int{}} }

// A Disagreement is a program on which the two do not agree.
type Disagreement struct {
	Seed    uint64
	Number  int
	Program *minijvm.Program
	What    []string
}

func (d *Disagreement) String() string {
	return fmt.Sprintf("program %d of seed %d:\n  %s\n%s", d.Number, d.Seed, strings.Join(d.What, "\n  "), d.Program)
}

// maxDisagreements is how many are kept; the check ends then.
const maxDisagreements = 20

// Check runs random programs and compares. Disagreements are in the report; an error means that something could not be run or observed.
func (l *Lab) Check(ctx context.Context, cfg Config) (*Report, error) {
	if cfg.Programs == 0 {
		cfg.Programs = 300
	}
	if cfg.Batch == 0 {
		cfg.Batch = 250
	}
	r := NewReport()
	r.Last = cfg.First
	g := newGenerator(cfg.Seed)
	start := time.Now()
	for r.Programs < cfg.Programs && len(r.Disagreements) < maxDisagreements {
		cases, err := g.cases(r, min(cfg.Batch, cfg.Programs-r.Programs), !cfg.Alone)
		if err != nil {
			return nil, err
		}
		got, err := l.Run(ctx, cases, cfg.Alone)
		if err != nil {
			return nil, err
		}
		for i, c := range cases {
			r.Add(cfg.Seed, c, got[i])
		}
		r.Time = time.Since(start)
		if cfg.Progress != nil {
			cfg.Progress(r)
		}
	}
	return r, nil
}

// strengths are those of programs with even and with odd numbers.
var strengths = [2]minijvm.Strength{minijvm.Missing, minijvm.Paper}

// A generator makes programs, each from the seed and its number: those with even numbers may name missing members, the others may not.
type generator struct {
	seed    uint64
	sources [2]*generate.Source
}

func newGenerator(seed uint64) *generator {
	g := &generator{seed: seed}
	for i, s := range strengths {
		g.sources[i] = generate.NewSource(generate.Config{Strength: s, Lowerable: true}, seed)
	}
	return g
}

func (g *generator) program(n int) *minijvm.Program {
	rng := rand.New(rand.NewPCG(g.seed, uint64(n)))
	g.sources[n%2].Seed(rng.Uint64())
	return vary(g.sources[n%2].Program(), strengths[n%2], rng)
}

// cases makes the next programs that end.
func (g *generator) cases(r *Report, n int, again bool) ([]*Case, error) {
	var out []*Case
	for ; len(out) < n; r.Last++ {
		p := g.program(r.Last)
		pr, err := Predict(p, again)
		if errors.Is(err, minijvm.ErrUnfinished) {
			r.Unfinished++
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("program %d of seed %d: %w\n%s", r.Last, g.seed, err, p)
		}
		out = append(out, &Case{Number: r.Last, Program: p, Predicted: pr})
	}
	return out, nil
}

// Add compares a case with what was observed.
func (r *Report) Add(seed uint64, c *Case, o *Observation) {
	r.Programs++
	r.Runs += len(o.Runs)
	r.Steps += c.Predicted.Steps
	if met := c.Predicted.Met; len(met) > 0 {
		for _, d := range met {
			r.SetAside[d.ID] += len(o.Runs)
		}
		return
	}
	for i, run := range c.Predicted.Runs {
		if run.Raised != minijvm.NoClass {
			r.Raised++
		}
		r.Smart += run.Smart.Len()
		r.Classes += own(c.Program).Len()
		if i < len(o.Runs) {
			r.Collected += c.set(o.Runs[i].Collected).Len()
		}
	}
	if what := c.Compare(o); len(what) > 0 {
		r.Disagreements = append(r.Disagreements, Disagreement{Seed: seed, Number: c.Number, Program: c.Program, What: what})
	}
}

func (r *Report) String() string {
	aside := 0
	for _, n := range r.SetAside {
		aside += n
	}
	return fmt.Sprintf("%d programs, %d runs (%d raised), %d steps; %d unfinished, %d runs set aside; classes %d, smart %d, collected %d; %d disagreements; %.1f s",
		r.Programs, r.Runs, r.Raised, r.Steps, r.Unfinished, aside, r.Classes, r.Smart, r.Collected, len(r.Disagreements), r.Time.Seconds())
}
