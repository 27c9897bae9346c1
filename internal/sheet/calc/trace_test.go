package calc

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/sheet/xlsx"
)

// The oracle of traces: what is not reported may change in any way, and the value stays.

var (
	traceSeed = flag.Uint64("calc.traceseed", 0, "seed of the random workbooks whose traces are checked; 0 takes one from the clock")
	traceRuns = flag.Int("calc.traces", 400, "number of random workbooks whose traces are checked")
)

// sharedEngine serves all evaluations of models: starting an engine takes longer than a small evaluation.
var sharedEngine *engine

type evaluated struct {
	val     Value
	err     error
	reports *recorder
}

// evaluateModel computes a cell of a model with some cells set. A filter changes what was reported.
func evaluateModel(t testing.TB, m *model, target spot, sets map[spot]Value, filter func(*model, *recorder)) evaluated {
	t.Helper()
	rec := newRecorder()
	b, err := New(m.workbook(t), Options{Watch: rec})
	if err != nil {
		t.Fatal(err)
	}
	b.engine = sharedEngine
	for at, v := range sets {
		if err := b.Set(modelSheets[at.sheet], at.row, at.col, v); err != nil {
			t.Fatal(err)
		}
	}
	v, err := b.Value(context.Background(), modelSheets[target.sheet], target.row, target.col)
	sharedEngine = b.engine
	if filter != nil {
		filter(m, rec)
	}
	return evaluated{v, err, rec}
}

// change is what is done to a workbook that a trace should not notice; "" removes a cell or a name.
type change struct {
	cells map[spot]string
	names map[nameSpot]string
}

func (c change) apply(m *model) *model {
	changed := m.clone()
	for at, content := range c.cells {
		changed.cells[at] = content
		if content == "" {
			delete(changed.cells, at)
		}
	}
	for at, text := range c.names {
		changed.names[at] = text
		if text == "" {
			delete(changed.names, at)
		}
	}
	return changed
}

func (c change) String() string {
	var lines []string
	for at, content := range c.cells {
		lines = append(lines, fmt.Sprintf("%v := %s", at, content))
	}
	for at, text := range c.names {
		lines = append(lines, fmt.Sprintf("%v = %s", at, text))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// trial is a workbook, a question, and a change that must not matter.
type trial struct {
	m      *model
	target spot
	sets   map[spot]Value
	change change
	filter func(*model, *recorder)
}

// violation describes how the change shows, or returns "". A change of something reported is left out, so that a trial stays
// fair when its workbook is shrunk.
func (x *trial) violation(t testing.TB) string {
	t.Helper()
	before := evaluateModel(t, x.m, x.target, x.sets, x.filter)
	if before.err != nil {
		return ""
	}
	fair := change{map[spot]string{}, map[nameSpot]string{}}
	for at, content := range x.change.cells {
		if x.mayChange(before.reports, at, content) {
			fair.cells[at] = content
		}
	}
	for at, text := range x.change.names {
		if !before.reports.coversName(at) {
			fair.names[at] = text
		}
	}
	after := evaluateModel(t, fair.apply(x.m), x.target, x.sets, x.filter)
	if after.err != nil || after.val != before.val {
		return fmt.Sprintf("%v is %v, after a change of what was not read %v (%v)\nread: %v", x.target, before.val, after.val, after.err, before.reports)
	}
	if x.filter == nil && after.reports.String() != before.reports.String() {
		return fmt.Sprintf("%v reads %v, after a change of what was not read %v", x.target, before.reports, after.reports)
	}
	return ""
}

// mayChange: a cell that was not read or that the test sets may change to anything, and a blank cell may come into the file or go.
func (x *trial) mayChange(reports *recorder, at spot, content string) bool {
	if _, isSet := x.sets[at]; isSet || !reports.covers(at) {
		return true
	}
	blank := func(s string) bool { return s == "" || s == "blank" }
	return blank(content) && blank(x.m.cells[at])
}

// shrink drops changes, sets, names and cells as long as the trial fails.
func (x *trial) shrink(t testing.TB) *trial {
	t.Helper()
	for again := true; again; {
		again = false
		for _, drop := range x.drops() {
			if smaller := drop(*x); smaller.violation(t) != "" {
				x, again = &smaller, true
			}
		}
	}
	return x
}

// drops lists the ways in which a trial can be made smaller.
func (x *trial) drops() (all []func(trial) trial) {
	for at := range x.change.cells {
		all = append(all, func(y trial) trial { y.change.cells = without(y.change.cells, at); return y })
	}
	for at := range x.change.names {
		all = append(all, func(y trial) trial { y.change.names = without(y.change.names, at); return y })
	}
	for at := range x.sets {
		all = append(all, func(y trial) trial { y.sets = without(y.sets, at); return y })
	}
	for at := range x.m.names {
		all = append(all, func(y trial) trial {
			y.m = &model{cells: y.m.cells, names: without(y.m.names, at), shared: y.m.shared}
			return y
		})
	}
	for at := range x.m.cells {
		all = append(all, func(y trial) trial {
			y.m = &model{cells: without(y.m.cells, at), names: y.m.names, shared: y.m.shared}
			return y
		})
	}
	return all
}

func without[K comparable, V any](m map[K]V, k K) map[K]V {
	m = maps.Clone(m)
	delete(m, k)
	return m
}

func (x *trial) String() string {
	return fmt.Sprintf("workbook (shared formulas: %v)\n%v\nset %v\nchange\n%v", x.m.shared, x.m, x.sets, x.change)
}

// search runs trials until one fails, and returns it with what it showed.
func search(t testing.TB, seed uint64, runs int, filter func(*model, *recorder)) (failed *trial, why string, stats map[string]int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	stats = map[string]int{}
	for range runs {
		m := randomModel(r)
		sets := randomSets(r, m)
		target := randomTarget(r, m)
		first := evaluateModel(t, m, target, sets, filter)
		stats["workbooks"]++
		if first.err != nil {
			stats["refused"]++
			continue
		}
		for range 4 {
			x := &trial{m, target, sets, randomChange(r, m), filter}
			stats["changes"]++
			if why := x.violation(t); why != "" {
				return x, why, stats
			}
		}
	}
	return nil, "", stats
}

// TestTraces is the promise of a Watcher.
func TestTraces(t *testing.T) {
	seed := *traceSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d: repeat with -calc.traceseed=%d", seed, seed)
	x, why, stats := search(t, seed, *traceRuns, nil)
	if x != nil {
		small := x.shrink(t)
		t.Fatalf("%s\nshrunk:\n%s\n%v", why, small.violation(t), small)
	}
	t.Logf("%d workbooks, %d of them with a target that cannot be computed, %d changes", stats["workbooks"], stats["refused"], stats["changes"])
	if stats["changes"] < 2*stats["workbooks"] {
		t.Errorf("too few workbooks can be computed: %v", stats)
	}
}

// TestBrokenWatchersAreCaught breaks the reports in ways that a mistake could, and demands that the oracle notices.
func TestBrokenWatchersAreCaught(t *testing.T) {
	for name, broken := range map[string]func(*model, *recorder){
		"no areas": func(_ *model, r *recorder) { clear(r.areas) },
		"no cells": func(_ *model, r *recorder) { clear(r.cells) },
		"no names": func(_ *model, r *recorder) { clear(r.names) },
		"no blank cells": func(m *model, r *recorder) {
			maps.DeleteFunc(r.cells, func(at spot, _ bool) bool { return m.cells[at] == "" })
		},
		"no formula cells": func(m *model, r *recorder) {
			maps.DeleteFunc(r.cells, func(at spot, _ bool) bool { return strings.HasPrefix(m.cells[at], "=") })
		},
		"areas without blanks":  areasWithoutBlanks,
		"columns are cut":       columnsAreCut,
		"no other sheet":        noOtherSheet,
		"one area is forgotten": oneAreaIsForgotten,
	} {
		x, why, stats := search(t, 1, 2000, broken)
		if x == nil {
			t.Errorf("%s: not noticed in %d changes", name, stats["changes"])
			continue
		}
		small := x.shrink(t)
		if small.violation(t) == "" || len(small.m.cells) > len(x.m.cells) {
			t.Errorf("%s: shrinking lost the failure %s", name, why)
		}
		t.Logf("%s: noticed after %d changes, shrunk from %d to %d cells", name, stats["changes"], len(x.m.cells), len(small.m.cells))
	}
}

// areasWithoutBlanks reports the cells of an area that hold something instead of the area.
func areasWithoutBlanks(m *model, r *recorder) {
	for at := range m.cells {
		if r.covers(at) {
			r.cells[at] = true
		}
	}
	clear(r.areas)
}

func columnsAreCut(_ *model, r *recorder) {
	for a := range maps.Clone(r.areas) {
		if a.area.Row2 == xlsx.MaxRow {
			delete(r.areas, a)
			a.area.Row2 = modelRows
			r.areas[a] = true
		}
	}
}

func noOtherSheet(_ *model, r *recorder) {
	maps.DeleteFunc(r.cells, func(at spot, _ bool) bool { return at.sheet == 1 })
	maps.DeleteFunc(r.areas, func(a sheetArea, _ bool) bool { return a.sheet == 1 })
}

func oneAreaIsForgotten(_ *model, r *recorder) {
	last := ""
	for a := range r.areas {
		last = max(last, fmt.Sprint(a))
	}
	maps.DeleteFunc(r.areas, func(a sheetArea, _ bool) bool { return fmt.Sprint(a) == last && len(r.areas) > 1 })
}
