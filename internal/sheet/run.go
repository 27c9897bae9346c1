package sheet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/sheet/calc"
	"winnow/internal/sheet/xlsx"
)

// Run computes the given tests, workbook by workbook.
func (p *Project) Run(ctx context.Context, tests []rts.TestID, sink rts.Sink) error {
	chosen := make(map[rts.TestID]bool, len(tests))
	for _, t := range tests {
		chosen[t] = true
	}
	for _, b := range p.books {
		if err := p.runBook(ctx, b, chosen, sink); err != nil {
			return err
		}
	}
	return nil
}

func (p *Project) runBook(ctx context.Context, b *book, chosen map[rts.TestID]bool, sink rts.Sink) error {
	r := &runner{project: p, book: b, sink: sink, areas: map[rts.Entity]int{}, bins: map[digest.Digest]int{}}
	for i := range b.cases {
		if !chosen[b.testID(i)] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.calc == nil {
			var err error
			if r.calc, err = calc.New(b.wb, calc.Options{Watch: r}); err != nil {
				return fmt.Errorf("%s: %w", b.path, err)
			}
			defer r.calc.Close()
		}
		res, err := r.run(ctx, i)
		if err != nil {
			return err
		}
		sink.Done(res)
	}
	return nil
}

// A runner runs the tests of one workbook, one after the other, and watches what each evaluation reads.
type runner struct {
	project *Project
	book    *book
	calc    *calc.Book
	sink    rts.Sink
	areas   map[rts.Entity]int    // shared footprints of areas
	bins    map[digest.Digest]int // shared footprints of tests with equal traces

	trace *evaluation
}

// An evaluation is what the evaluation of one test has read so far.
type evaluation struct {
	uses map[rts.Entity]digest.Digest
	set  map[place]bool
	// includes are the footprints of areas that were read.
	includes map[int]bool
}

func (r *runner) run(ctx context.Context, i int) (rts.Result, error) {
	c := &r.book.cases[i]
	r.trace = &evaluation{uses: map[rts.Entity]digest.Digest{}, set: map[place]bool{}, includes: map[int]bool{}}
	r.use(calculator)
	r.use(r.book.entity(KindSettings, ""))
	start := time.Now()
	got, err := r.compute(ctx, c)
	if ctx.Err() != nil {
		return rts.Result{}, ctx.Err()
	}
	res := rts.Result{
		Record: rts.Record{Test: r.book.testID(i), Duration: time.Since(start), Result: digest.OfString(typed(got))},
		Own:    r.footprint(i),
	}
	switch {
	case err != nil && r.project.Rules.Hold(safety.PrecedentsChecked): // (S5.1)
		// What was read before the evaluation stopped is only a part.
		res.Record.Outcome, res.Record.Incomplete, res.Message = rts.Errored, true, err.Error()
	case err == nil && !c.accepts(got):
		res.Record.Outcome, res.Message = rts.Failed, c.complaint(got)
	default:
		res.Record.Outcome = rts.Passed
	}
	return res, nil
}

// complaint says how a value differs from the expected one.
func (c *Case) complaint(got calc.Value) string {
	text := fmt.Sprintf("%s is %s, expected %s", c.Query, got, c.Want)
	if c.Within >= 0 {
		text += fmt.Sprintf(" within %g", c.Within)
		if c.Percent {
			text += "%"
		}
	}
	if got.Kind() != c.Want.Kind() {
		text += fmt.Sprintf(" (a %s, not a %s)", got.Kind(), c.Want.Kind())
	}
	return text
}

// compute sets the inputs and evaluates the query.
func (r *runner) compute(ctx context.Context, c *Case) (calc.Value, error) {
	r.calc.Reset()
	for _, s := range c.Sets {
		at, err := r.stands(KindSet, s.Ref)
		if err != nil {
			return calc.Value{}, fmt.Errorf("set %w", err)
		}
		if r.trace.set[at] {
			return calc.Value{}, fmt.Errorf("set %s: %s is set twice", s.Ref, at)
		}
		r.trace.set[at] = true
		if err := r.calc.Set(at.sheet, at.row, at.col, s.Value); err != nil {
			return calc.Value{}, err
		}
	}
	at, err := r.stands(KindQuery, c.Query)
	if err != nil {
		return calc.Value{}, fmt.Errorf("expect %w", err)
	}
	r.Cell(at.sheet, at.row, at.col)
	v, err := r.calc.Value(ctx, at.sheet, at.row, at.col)
	if err != nil && errors.Is(err, context.Canceled) {
		return calc.Value{}, ctx.Err()
	}
	return v, err
}

// stands finds the cell that a reference stands for and records that it does (S5.4).
func (r *runner) stands(k rts.Kind, ref string) (place, error) {
	at, err := r.book.locate(ref)
	if err != nil {
		return place{}, err
	}
	if k == KindQuery || r.project.Rules.Hold(safety.SetPlacesCount) {
		r.use(r.book.entity(k, ref+arrow+at.String()))
	}
	return at, nil
}

func (r *runner) use(e rts.Entity) {
	if _, ok := r.trace.uses[e]; !ok {
		r.trace.uses[e] = r.project.Digest(e)
	}
}

// Cell notes that a cell was read. A cell that the test sets is no input; a blank one is (S5.2).
func (r *runner) Cell(sheet string, row, col int) {
	at := place{sheet, row, col}
	e := r.book.cellEntity(sheet, row, col)
	if _, known := r.trace.uses[e]; known || r.trace.set[at] {
		return
	}
	encoded := r.book.encoded(at)
	if encoded == nil && !r.project.Rules.Hold(safety.BlankCounts) {
		return
	}
	r.trace.uses[e] = r.content(encoded)
}

// content returns the digest of an encoding and hands its body over.
func (r *runner) content(encoded []byte) digest.Digest {
	d := digestOf(encoded)
	if encoded != nil {
		r.sink.Body(d, recordedBody(encoded))
	}
	return d
}

// Area notes that an area was read: its population, and every cell in it. Areas without a cell that the test sets are recorded once and
// shared by all tests that read them.
func (r *runner) Area(sheet string, a xlsx.Area) {
	if a.Row1 == a.Row2 && a.Col1 == a.Col2 {
		r.Cell(sheet, a.Row1, a.Col1)
		return
	}
	for at := range r.trace.set {
		if at.sheet == sheet && a.Contains(at.row, at.col) {
			r.areaWithInputs(sheet, a)
			return
		}
	}
	e := r.book.areaEntity(sheet, a)
	n, ok := r.areas[e]
	if !ok {
		n = r.sink.Shared(r.areaFootprint(e, sheet, a))
		r.areas[e] = n
	}
	r.trace.includes[n] = true
}

func (r *runner) areaFootprint(e rts.Entity, sheet string, a xlsx.Area) rts.Footprint {
	f := rts.Footprint{Label: e.Name}
	if r.project.Rules.Hold(safety.PopulationCounts) { // (S5.3)
		f.Uses = append(f.Uses, rts.Use{Entity: e, Digest: r.content(r.book.encodedArea(sheet, a))})
	}
	for _, o := range r.book.populated(sheet, a) {
		at := place{sheet, a.Row1 + o.row, a.Col1 + o.col}
		f.Uses = append(f.Uses, rts.Use{Entity: r.book.cellEntity(at.sheet, at.row, at.col), Digest: r.content(r.book.encoded(at))})
	}
	return f
}

// areaWithInputs records an area cell by cell, because some of its cells are set by the test.
func (r *runner) areaWithInputs(sheet string, a xlsx.Area) {
	e := r.book.areaEntity(sheet, a)
	if _, known := r.trace.uses[e]; known {
		return
	}
	if r.project.Rules.Hold(safety.PopulationCounts) { // (S5.3)
		r.trace.uses[e] = r.content(r.book.encodedArea(sheet, a))
	}
	for _, o := range r.book.populated(sheet, a) {
		r.Cell(sheet, a.Row1+o.row, a.Col1+o.col)
	}
}

// Name notes that a defined name was looked up from a sheet, also in vain (S5.5).
func (r *runner) Name(sheet, name string) {
	if !r.project.Rules.Hold(safety.NamesCount) {
		return
	}
	sheet = r.book.sheetSpelling(sheet)
	name = r.book.spelling(sheet, name)
	e := r.book.entity(KindName, sheet+"!"+name)
	if _, known := r.trace.uses[e]; !known {
		r.trace.uses[e] = r.content(r.book.encodedName(sheet, name))
	}
}

// footprint returns what the test used: its own definition, and the bin of tests that read the same.
func (r *runner) footprint(i int) rts.Footprint {
	bin := rts.Footprint{}
	for e, d := range r.trace.uses {
		bin.Uses = append(bin.Uses, rts.Use{Entity: e, Digest: d})
	}
	bin.Uses = rts.SortUses(bin.Uses)
	for n := range r.trace.includes {
		bin.Includes = append(bin.Includes, n)
	}
	slices.Sort(bin.Includes)
	key := bin.Content()
	n, ok := r.bins[key]
	if !ok {
		n = r.sink.Shared(bin)
		r.bins[key] = n
	}
	test := rts.Entity{Kind: rts.KindTest, Name: string(r.book.testID(i))}
	return rts.Footprint{Uses: []rts.Use{{Entity: test, Digest: r.project.Digest(test)}}, Includes: []int{n}}
}
