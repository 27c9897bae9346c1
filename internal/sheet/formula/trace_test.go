package formula

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var (
	traceRuns = flag.Int("trace.runs", 5000, "random evaluations to trace")
	traceSeed = flag.Uint64("trace.seed", 1, "seed of the first random evaluation")
)

// interpreter evaluates a small language lazily, as Excel does, and records
// what it reads: the judge of Trace.
type interpreter struct {
	cells map[string]Value
	reads map[string]bool
	// open is set when a value decided a branch after a conversion, so that
	// Trace may report more than was read.
	open bool
}

func (in *interpreter) eval(n Node) Value {
	switch n := n.(type) {
	case *Number:
		return number(float64(n.Text[0] - '0'))
	case *Text:
		return Value{Kind: ValueText, Text: n.Value}
	case *Bool:
		return Value{Kind: ValueBool, Bool: n.Value}
	case *Reference:
		in.reads[Print(n)] = true
		return in.cells[Print(n)]
	case *Binary:
		return in.binary(n.Op, in.eval(n.X), in.eval(n.Y))
	case *Paren:
		return in.eval(n.X)
	case *Call:
		return in.call(n)
	}
	return Value{}
}

func number(f float64) Value       { return Value{Kind: ValueNumber, Number: f} }
func errorValue(code string) Value { return Value{Kind: ValueError, Text: code} }

func (in *interpreter) binary(op Op, a, b Value) Value {
	switch {
	case a.Kind == ValueError:
		return a
	case b.Kind == ValueError:
		return b
	case op == OpEq:
		return Value{Kind: ValueBool, Bool: a == b}
	case a.Kind == ValueText || b.Kind == ValueText:
		return errorValue("#VALUE!")
	case op == OpGt:
		return Value{Kind: ValueBool, Bool: a.Number > b.Number}
	}
	return number(a.Number + b.Number)
}

func (in *interpreter) call(c *Call) Value {
	switch c.Name {
	case "NA":
		return errorValue("#N/A")
	case "SUM":
		sum := number(0)
		for _, a := range c.Args {
			sum = in.binary(OpAdd, sum, in.eval(a))
		}
		return sum
	case "IF":
		return in.ifCall(c.Args)
	case "IFS":
		return in.ifs(c.Args)
	case "CHOOSE":
		i := in.eval(c.Args[0])
		if n := int(i.Number); i.Kind == ValueNumber && 1 <= n && n < len(c.Args) {
			return in.eval(c.Args[n])
		}
		in.open = true
		return errorValue("#VALUE!")
	case "SWITCH":
		return in.switchCall(c.Args)
	}
	v := in.eval(c.Args[0])
	if v.Kind == ValueError && (c.Name == "IFERROR" || v.Text == "#N/A") {
		return in.eval(c.Args[1])
	}
	return v
}

// condition converts a value as IF does.
func (in *interpreter) condition(v Value) (truth, ok bool) {
	in.open = in.open || v.Kind != ValueNumber && v.Kind != ValueBool
	return v.Bool || v.Number != 0, v.Kind != ValueText && v.Kind != ValueError
}

func (in *interpreter) ifCall(args []Node) Value {
	truth, ok := in.condition(in.eval(args[0]))
	switch {
	case !ok:
		return errorValue("#VALUE!")
	case truth:
		return in.eval(args[1])
	case len(args) == 3:
		return in.eval(args[2])
	}
	return Value{Kind: ValueBool}
}

func (in *interpreter) ifs(args []Node) Value {
	for i := 0; i < len(args); i += 2 {
		truth, ok := in.condition(in.eval(args[i]))
		if !ok {
			return errorValue("#VALUE!")
		}
		if truth {
			return in.eval(args[i+1])
		}
	}
	return errorValue("#N/A")
}

func (in *interpreter) switchCall(args []Node) Value {
	v := in.eval(args[0])
	if v.Kind == ValueError {
		in.open = true
		return v
	}
	rest := args[1:]
	for ; len(rest) > 1; rest = rest[2:] {
		key := in.eval(rest[0])
		in.open = in.open || key.Kind != v.Kind || v.Kind == ValueBlank || v.Kind == ValueText
		if key.Kind == v.Kind && key.Number == v.Number && key.Bool == v.Bool && strings.EqualFold(key.Text, v.Text) {
			return in.eval(rest[1])
		}
	}
	if len(rest) == 1 {
		return in.eval(rest[0])
	}
	return errorValue("#N/A")
}

// traced runs Trace and returns the references that it reports.
func traced(f *Formula, cells map[string]Value) (map[string]bool, error) {
	used := map[string]bool{}
	err := Trace(f.Root, nil, func(n Node) (Value, error) {
		// The text is what a caller gives to its engine.
		part, err := Parse(Print(n))
		if err != nil {
			return Value{}, err
		}
		in := interpreter{cells: cells, reads: map[string]bool{}}
		return in.eval(part.Root), nil
	}, func(n Node) { used[Print(n)] = true })
	return used, err
}

// traceTrouble compares Trace with what an evaluation read.
func traceTrouble(src string, cells map[string]Value) string {
	f, err := Parse(src)
	if err != nil {
		return ""
	}
	used, err := traced(f, cells)
	if err != nil {
		return err.Error()
	}
	in := interpreter{cells: cells, reads: map[string]bool{}}
	in.eval(f.Root)
	for ref := range in.reads {
		if !used[ref] {
			return "not traced: " + ref
		}
	}
	if !in.open && len(used) > len(in.reads) {
		return fmt.Sprintf("traced %v, read %v", slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(in.reads)))
	}
	return ""
}

func TestTraceAgainstEvaluation(t *testing.T) {
	exact := 0
	for i := 0; i < *traceRuns; i++ {
		seed := *traceSeed + uint64(i)
		rnd := rand.New(rand.NewPCG(seed, 1))
		cells := randomCells(rnd)
		src := branching(rnd, 4)
		if s := traceTrouble(src, cells); s != "" {
			short := shrinkTrace(src, cells)
			t.Fatalf("%s (from %s) with %v: %s\nrepeat with -run %s -trace.seed=%d -trace.runs=1",
				short, src, cells, traceTrouble(short, cells), t.Name(), seed)
		}
		in := interpreter{cells: cells, reads: map[string]bool{}}
		in.eval(mustParse(t, src).Root)
		if !in.open {
			exact++
		}
	}
	t.Logf("%d evaluations, %d of them traced exactly", *traceRuns, exact)
	if exact < *traceRuns/5 {
		t.Errorf("only %d of %d evaluations compared exactly", exact, *traceRuns)
	}
}

// shrinkTrace finds a smallest part of a failing formula that still fails.
func shrinkTrace(src string, cells map[string]Value) string {
	f, err := Parse(src)
	if err != nil {
		return src
	}
	best := src
	Walk(f.Root, func(n Node) bool {
		if s := Print(n); len(s) < len(best) && traceTrouble(s, cells) != "" {
			best = s
		}
		return true
	})
	return best
}

func randomCells(rnd *rand.Rand) map[string]Value {
	cells := map[string]Value{}
	for col := 'A'; col <= 'E'; col++ {
		for row := '1'; row <= '4'; row++ {
			name := string([]rune{col, row})
			switch rnd.IntN(12) {
			case 0:
				cells[name] = Value{Kind: ValueText, Text: "x"}
			case 1:
				cells[name] = errorValue("#N/A")
			case 2:
				cells[name] = errorValue("#DIV/0!")
			case 3:
				cells[name] = Value{Kind: ValueBool, Bool: rnd.IntN(2) == 0}
			case 4: // blank
			default:
				cells[name] = number(float64(rnd.IntN(4)))
			}
		}
	}
	return cells
}

// branching makes a random formula of the interpreter's language.
func branching(rnd *rand.Rand, depth int) string {
	if depth == 0 || rnd.IntN(6) == 0 {
		return fmt.Sprintf("%c%d", 'A'+rnd.IntN(5), 1+rnd.IntN(4))
	}
	sub := func(n int) string {
		var s []string
		for range n {
			s = append(s, branching(rnd, depth-1))
		}
		return strings.Join(s, ",")
	}
	switch rnd.IntN(10) {
	case 0:
		return "IF(" + branching(rnd, depth-1) + ">1," + sub(1+rnd.IntN(2)) + ")"
	case 1:
		return "IF(" + sub(3) + ")"
	case 2:
		return "_xlfn.IFS(" + sub(2+2*rnd.IntN(2)) + ")"
	case 3:
		return "CHOOSE(1+" + sub(3) + ")"
	case 4:
		return "_xlfn.SWITCH(" + branching(rnd, depth-1) + ",1," + sub(3+rnd.IntN(2)) + ")"
	case 5:
		return "IFERROR(" + sub(2) + ")"
	case 6:
		return "_xlfn.IFNA(" + sub(2) + ")"
	case 7:
		return "SUM(" + sub(2) + ",NA())"
	case 8:
		return "(" + branching(rnd, depth-1) + "+" + branching(rnd, depth-1) + ")"
	}
	return fmt.Sprint(rnd.IntN(4))
}

func TestTrace(t *testing.T) {
	cells := map[string]Value{
		"A1": number(1), "A2": number(0), "A3": {Kind: ValueText, Text: "x"},
		"A4": errorValue("#N/A"), "A5": errorValue("#DIV/0!"), "A6": number(2.5), "A7": {Kind: ValueText, Text: "X"},
	}
	tests := []struct{ src, want string }{
		{"IF(A1,B1,B2)", "A1 B1"},
		{"IF(A2,B1,B2)", "A2 B2"},
		{"IF(A2,B1)", "A2"},
		{"IF(A1,,B2)", "A1"},
		{"IF(A3,B1,B2)", "A3 B1 B2"},
		{"IF(A9,B1,B2)", "A9 B1 B2"},
		{"IF(A4,B1,B2)", "A4 B1 B2"},
		{"IF(,B1,B2)", "B1 B2"},
		{"IF(IF(A1,A2,C1),B1,B2)", "A1 A2 B2"},
		{"SUM(IF(A1,B1,B2),C1)", "A1 B1 C1"},
		{"CHOOSE(A1,B1,B2)", "A1 B1"},
		{"CHOOSE(A6,B1,B2,B3)", "A6 B1 B2 B3"},
		{"CHOOSE(A2,B1,B2)", "A2 B1 B2"},
		{"IFERROR(A4,B1)", "A4 B1"},
		{"IFERROR(A1,B1)", "A1"},
		{"IFNA(A4,B1)", "A4 B1"},
		{"IFNA(A5,B1)", "A5"},
		{"IFS(A2,B1,A1,B2,C1,B3)", "A1 A2 B2"},
		{"SWITCH(A1,A2,B1,1,B2,C1,B3,B4)", "A1 A2 B2"},
		{"SWITCH(A1,2,B1,3,B2,B4)", "A1 B4"},
		{"SWITCH(A3,A7,B1,A3,B2,B4)", "A3 A7 B1 B2"},
		{"SWITCH(A3,\"y\",B1,B4)", "A3 B4"},
		{"SWITCH(A3,1,B1,B4)", "A3 B1 B4"},
		{"AND(A2,A1)", "A1 A2"},
		{"OR(A1,A2)", "A1 A2"},
		// A value that decides must be certain.
		{"IF(RAND()>A1,B1,B2)", "A1 B1 B2"},
		{"IF(ROW()>A1,B1,B2)", "A1 B1 B2"},
		{"IF(MyMacro(A1),B1,B2)", "A1 B1 B2"},
		{"IF(A1:A2>0,B1,B2)", "A1:A2 B1 B2"},
		{"IF(Rate,B1,B2)", "B1 B2 Rate"},
		{"IF(Tab[x],B1,B2)", "B1 B2 Tab[x]"},
		// Not branching: add-in functions, wrong numbers of arguments.
		{"[1]!IF(A1,B1,B2)", "A1 B1 B2"},
		{"IF(A1)", "A1"},
		{"IFS(A1,B1,C1)", "A1 B1 C1"},
		{"SWITCH(A1,B1)", "A1 B1"},
	}
	for _, tt := range tests {
		used, err := traced(mustParse(t, tt.src), cells)
		if got := strings.Join(slices.Sorted(maps.Keys(used)), " "); got != tt.want || err != nil {
			t.Errorf("%s: %s (%v), want %s", tt.src, got, err, tt.want)
		}
	}
}

func TestTraceError(t *testing.T) {
	broken := errors.New("cannot compute")
	calls := 0
	err := Trace(mustParse(t, "IF(A1,IF(A2,B1,B2),C1)+IF(A3,B3)").Root, nil,
		func(Node) (Value, error) { calls++; return Value{}, broken }, func(Node) {})
	if !errors.Is(err, broken) || calls != 1 {
		t.Errorf("error %v after %d evaluations", err, calls)
	}
}

// TestBranchesCoverArguments checks that no argument of a branching call is
// lost.
func TestBranchesCoverArguments(t *testing.T) {
	for _, name := range []string{"IF", "IFS", "CHOOSE", "SWITCH", "IFERROR", "IFNA"} {
		found := false
		for n := 1; n < 8; n++ {
			c := &Call{Name: name}
			for i := range n {
				c.Args = append(c.Args, &Number{Text: fmt.Sprint(i)})
			}
			b, ok := BranchesOf(c)
			if !ok {
				continue
			}
			found = true
			if parts := branchParts(b); !slices.Equal(parts, c.Args) {
				t.Errorf("%s with %d arguments: %d parts", name, n, len(parts))
			}
		}
		if !found {
			t.Errorf("%s never branches", name)
		}
	}
}

// branchParts lists the parts in the order of the arguments.
func branchParts(b Branches) (parts []Node) {
	if b.Selector != nil {
		parts = append(parts, b.Selector)
	}
	for _, a := range b.Arms {
		if a.Guard != nil {
			parts = append(parts, a.Guard)
		}
		parts = append(parts, a.Body)
	}
	if b.Else != nil {
		parts = append(parts, b.Else)
	}
	return parts
}
