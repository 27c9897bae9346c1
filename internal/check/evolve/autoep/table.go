package autoep

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"winnow/internal/check/evolve"
	"winnow/internal/check/pool"
)

// An Origin is where first revisions come from: a constraint or a feature.
type Origin struct {
	ID       string
	Programs iter.Seq2[int, *evolve.Program]
}

// Origins lists the constraints and then the features, with a seed.
func Origins(seed uint64) ([]Origin, error) {
	var out []Origin
	for _, c := range evolve.Constraints() {
		out = append(out, Origin{c.ID, c.Programs(seed)})
	}
	features, err := evolve.Features()
	if err != nil {
		return nil, err
	}
	for _, f := range features {
		out = append(out, Origin{f.ID, f.Programs(seed)})
	}
	return out, nil
}

// A Count is one cell of the funnel.
type Count struct{ Generated, Compilable int }

// A Row is the funnel of one origin.
type Row struct {
	Origin   string
	Programs Count // first revisions
	Untested int   // that compile and have no test that could count
	Died     int   // that killed a JVM
	Tests    int
	Flaky    int
	Cases    map[string]Count // by operator
}

// A Table is the funnel of several origins: the paper's Table IV.
type Table struct {
	Operators []string
	Rows      []*Row
}

// Work is what a table is made of.
type Work struct {
	Origins   []Origin
	Limit     int                                      // programs of each origin; default 400
	Operators []evolve.Operator                        // default: all
	Each      func(context.Context, *Case) error       // what else to do with a case; optional, called by several goroutines
	Progress  func(origin string, done, limit int)     // optional, called by one goroutine at a time
	Prepared  func(ctx context.Context, b *Base) error // what else to do with a base; optional
}

// Make generates, compiles and counts.
func Make(ctx context.Context, c Config, w Work) (*Table, error) {
	if w.Limit == 0 {
		w.Limit = 400
	}
	if w.Operators == nil {
		w.Operators = evolve.Operators()
	}
	t := &Table{}
	for _, o := range w.Operators {
		t.Operators = append(t.Operators, o.ID)
	}
	for _, o := range w.Origins {
		row := &Row{Origin: o.ID, Cases: map[string]Count{}}
		t.Rows = append(t.Rows, row)
		m := &maker{config: c.withDefaults(), work: &w, row: row}
		if err := m.origin(ctx, o); err != nil {
			return nil, fmt.Errorf("%s: %w", o.ID, err)
		}
	}
	return t, nil
}

// A maker makes the cases of one origin.
type maker struct {
	config Config
	work   *Work
	mu     sync.Mutex // guards row and done
	row    *Row
	done   int
}

func (m *maker) origin(ctx context.Context, o Origin) error {
	programs := make([]*evolve.Program, 0, m.work.Limit+1) // one more, for E6
	for _, p := range o.Programs {
		programs = append(programs, p)
		if len(programs) > m.work.Limit {
			break
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var group sync.WaitGroup
	for range m.config.Pool.Workers() {
		group.Go(func() {
			for i := range next {
				if err := m.program(ctx, o.ID, programs, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := range min(len(programs), m.work.Limit) {
		next <- i
	}
	close(next)
	group.Wait()
	return context.Cause(ctx)
}

func (m *maker) program(ctx context.Context, origin string, programs []*evolve.Program, i int) error {
	if ctx.Err() != nil {
		return nil
	}
	b, err := Prepare(ctx, m.config, fmt.Sprintf("%s/%d", origin, i), programs[i])
	if err := m.count(b, err); err != nil || b == nil {
		return err
	}
	if m.work.Prepared != nil {
		if err := m.work.Prepared(ctx, b); err != nil {
			return err
		}
	}
	var following *evolve.Program
	if i+1 < len(programs) {
		following = programs[i+1]
	}
	for _, o := range m.work.Operators {
		for _, v := range o.Apply(b.Program, following) {
			if err := m.variant(ctx, b, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// count counts a first revision. Only what is not the program's fault is an error.
func (m *maker) count(b *Base, err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.row.Programs.Generated++
	switch {
	case err == nil:
		m.row.Programs.Compilable++
		m.row.Tests += len(b.Tests)
		m.row.Flaky += b.Flaky
	case errors.Is(err, ErrNotCompilable):
	case errors.Is(err, ErrNoTests):
		m.row.Programs.Compilable++
		m.row.Untested++
	case errors.Is(err, pool.ErrDied):
		m.row.Died++
	default:
		return err
	}
	m.done++
	if m.work.Progress != nil {
		m.work.Progress(m.row.Origin, m.done, m.work.Limit)
	}
	return nil
}

func (m *maker) variant(ctx context.Context, b *Base, v evolve.Variant) error {
	k, err := Evolve(ctx, m.config, b, v)
	if err != nil && !errors.Is(err, ErrNotCompilable) && !errors.Is(err, pool.ErrDied) {
		return err
	}
	m.mu.Lock()
	cell := m.row.Cases[v.Operator]
	cell.Generated++
	if err == nil {
		cell.Compilable++
	}
	if errors.Is(err, pool.ErrDied) {
		m.row.Died++
	}
	m.row.Cases[v.Operator] = cell
	m.mu.Unlock()
	if err != nil || m.work.Each == nil {
		return nil
	}
	return m.work.Each(ctx, k)
}

// Total is the number of cases that were generated and that compile.
func (t *Table) Total() (out Count) {
	for _, r := range t.Rows {
		for _, c := range r.Cases {
			out.Generated += c.Generated
			out.Compilable += c.Compilable
		}
	}
	return out
}

// String prints the table: for each origin the programs that compile (Base), then generated and compilable cases of each operator.
func (t *Table) String() string {
	lines := [][]string{{"", "Base", "tests", "flaky", "untested", "died"}}
	for _, o := range t.Operators {
		lines[0] = append(lines[0], o+" #G", "#C")
	}
	for _, r := range t.Rows {
		line := []string{r.Origin, fmt.Sprintf("%d/%d", r.Programs.Compilable, r.Programs.Generated)}
		for _, n := range []int{r.Tests, r.Flaky, r.Untested, r.Died} {
			line = append(line, fmt.Sprint(n))
		}
		for _, o := range t.Operators {
			line = append(line, fmt.Sprint(r.Cases[o].Generated), fmt.Sprint(r.Cases[o].Compilable))
		}
		lines = append(lines, line)
	}
	return columns(lines)
}

// columns aligns a table to the right, its first column to the left.
func columns(lines [][]string) string {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		for i, cell := range line {
			pad := strings.Repeat(" ", widths[i]-len(cell))
			if i == 0 {
				b.WriteString(cell + pad)
			} else {
				b.WriteString("  " + pad + cell)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Select keeps the origins with some IDs.
func Select(all []Origin, ids ...string) []Origin {
	return slices.DeleteFunc(slices.Clone(all), func(o Origin) bool { return !slices.Contains(ids, o.ID) })
}
