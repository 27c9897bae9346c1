package calc

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	staleSeed = flag.Uint64("calc.seed", 0, "seed of the random sessions; 0 takes one from the clock")
	staleRuns = flag.Int("calc.sessions", 30, "number of random sessions")
)

// op is one step of a random session.
//
// Printed form: set A3 5, reset, value A7, eval SUM(A1:A9)
type op struct {
	verb, cell, expr string
	val              Value
}

func (o op) String() string {
	return strings.TrimSpace(strings.Join([]string{o.verb, o.cell, o.expr, map[bool]string{true: o.val.String()}[o.verb == "set"]}, " "))
}

const staleCells = 12

// randomSheet makes a column in which each cell reads only cells above it.
func randomSheet(r *rand.Rand) string {
	lines := []string{"Sheet1!A1 := 1", "Sheet1!A2 := 2", `Sheet1!A3 := "x"`}
	for i := 4; i <= staleCells; i++ {
		above := func() int { return 1 + r.IntN(i-1) }
		forms := []string{fmt.Sprintf("A%d+A%d", above(), above()), fmt.Sprintf("SUM(A1:A%d)", above()), fmt.Sprintf("IF(A%d>2,A%d,A%d)", above(), above(), above()),
			fmt.Sprintf("IFERROR(A%d*2,MAX(A1:A%d))", above(), above()), fmt.Sprintf("COUNTIF(A1:A%d,\">1\")", above()), fmt.Sprintf("LEN(A%d&\"-\")", above()), fmt.Sprintf("ROUND(A%d/3,2)", above())}
		lines = append(lines, fmt.Sprintf("Sheet1!A%d := =%s", i, forms[r.IntN(len(forms))]))
	}
	return strings.Join(lines, "\n")
}

func randomOps(r *rand.Rand) []op {
	values := []Value{Number(0), Number(3), Number(-7.5), Text("y"), Text(""), Blank(), Error(ErrCodeNA)}
	var ops []op
	for range 60 {
		cell := fmt.Sprintf("A%d", 1+r.IntN(staleCells))
		switch r.IntN(6) {
		case 0, 1:
			ops = append(ops, op{verb: "set", cell: cell, val: values[r.IntN(len(values))]})
		case 2:
			ops = append(ops, op{verb: "reset"})
		case 3:
			ops = append(ops, op{verb: "eval", expr: fmt.Sprintf("SUM(A1:%s)+1", cell)})
		default:
			ops = append(ops, op{verb: "value", cell: cell})
		}
	}
	return ops
}

// staleAnswer runs a session on one Book and asks a fresh Book, with the same inputs, every question too. It describes the first
// difference, or returns "".
func staleAnswer(t *testing.T, data []byte, ops []op) string {
	t.Helper()
	wb := readWorkbook(t, data)
	b, err := New(wb, Options{})
	must(t, err)
	defer b.Close()
	inputs := map[string]Value{}
	for i, o := range ops {
		switch o.verb {
		case "set":
			must(t, set(b, "Sheet1", o.cell, o.val))
			inputs[o.cell] = o.val
			continue
		case "reset":
			b.Reset()
			inputs = map[string]Value{}
			continue
		}
		fresh, err := New(wb, Options{})
		must(t, err)
		for cell, v := range inputs {
			must(t, set(fresh, "Sheet1", cell, v))
		}
		got, want := answer(b, o), answer(fresh, o)
		fresh.Close()
		if got != want {
			return fmt.Sprintf("step %d, %v: %s, a fresh book says %s", i, o, got, want)
		}
	}
	return ""
}

func answer(b *Book, o op) string {
	var v Value
	var err error
	if o.verb == "eval" {
		v, err = eval(b, "Sheet1", o.expr)
	} else {
		v, err = value(context.Background(), b, "Sheet1", o.cell)
	}
	return fmt.Sprint(v, " ", err)
}

// TestNothingStale: no value outlives a Set or a Reset.
func TestNothingStale(t *testing.T) {
	seed := *staleSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d: repeat with -calc.seed=%d", seed, seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range *staleRuns {
		lines := randomSheet(r)
		data, ops := workbook(t, lines, nil), randomOps(r)
		if why := staleAnswer(t, data, ops); why != "" {
			ops = shrink(ops, func(ops []op) bool { return staleAnswer(t, data, ops) != "" })
			t.Fatalf("%s\nshrunk to %v\nin\n%s", why, ops, lines)
		}
	}
}

// shrink leaves out steps as long as the session still fails.
func shrink(ops []op, fails func([]op) bool) []op {
	for i := 0; i < len(ops); {
		shorter := slices.Delete(slices.Clone(ops), i, i+1)
		if fails(shorter) {
			ops = shorter
		} else {
			i++
		}
	}
	return ops
}
