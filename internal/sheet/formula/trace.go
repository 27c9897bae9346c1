package formula

import "math"

// ValueKind is the type of a value.
type ValueKind uint8

// Types of values.
const (
	ValueBlank ValueKind = iota
	ValueNumber
	ValueText
	ValueBool
	ValueError
)

// Value is the value of an expression, as far as branching calls ask for it.
type Value struct {
	Kind   ValueKind
	Number float64
	Bool   bool
	Text   string // the text, or the code of an error
}

// Evaluator computes the value of an expression, in the cell of the formula or,
// since it is never asked for one that is PositionDependent, in another cell of
// the same sheet. It finds the text with [Print].
type Evaluator func(Node) (Value, error)

// Trace reports to use the references (*Reference, *Name, *Table) that an
// evaluation of n uses, in the order of the text within each expression. Of a
// branching call only the chosen branch is traced, and only where the choice is
// certain: if the value that decides has a hazard, depends on the place, is
// blank where a condition is needed, or is of a type that the call must
// convert, every branch that could be chosen is traced. An error of eval ends
// the trace and is returned; what was reported by then is not a trace.
func Trace(n Node, names Names, eval Evaluator, use func(Node)) error {
	t := tracer{names: names, eval: eval, use: use}
	t.node(n)
	return t.err
}

type tracer struct {
	names Names
	eval  Evaluator
	use   func(Node)
	err   error
}

func (t *tracer) node(n Node) {
	if t.err != nil {
		return
	}
	Walk(n, func(n Node) bool {
		switch n := n.(type) {
		case *Reference, *Name, *Table:
			t.use(n)
		case *Call:
			if b, ok := BranchesOf(n); ok {
				t.branches(b)
				return false
			}
		}
		return t.err == nil
	})
}

func (t *tracer) branches(b Branches) {
	switch b.Kind {
	case BranchIfs:
		t.guards(b, func(v Value) verdict { return truth(v) })
	case BranchSwitch:
		t.node(b.Selector)
		v, ok := t.value(b.Selector)
		t.guards(b, func(key Value) verdict {
			if !ok {
				return unclear
			}
			return same(v, key)
		})
	default:
		t.node(b.Selector)
		v, ok := t.value(b.Selector)
		for i, arm := range b.Arms {
			if !ok || chooses(b.Kind, v, i, len(b.Arms)) != no {
				t.node(arm.Body)
			}
		}
	}
}

// guards traces arms in order until one is certainly chosen.
func (t *tracer) guards(b Branches, match func(Value) verdict) {
	for _, arm := range b.Arms {
		t.node(arm.Guard)
		m := unclear
		if v, ok := t.value(arm.Guard); ok {
			m = match(v)
		}
		if m != no {
			t.node(arm.Body)
		}
		if m == yes {
			return
		}
	}
	if b.Else != nil {
		t.node(b.Else)
	}
}

// value evaluates an expression that decides a branch; false if its value
// elsewhere, or at another time, need not be the one that decided.
func (t *tracer) value(n Node) (Value, bool) {
	if t.err != nil || isEmpty(n) {
		return Value{}, false
	}
	if PositionDependent(n, t.names) || len(Hazards(n, t.names)) > 0 {
		return Value{}, false
	}
	v, err := t.eval(n)
	t.err = err
	return v, err == nil
}

// verdict is the answer to a question about values.
type verdict uint8

const (
	unclear verdict = iota
	no
	yes
)

func verdictOf(b bool) verdict {
	if b {
		return yes
	}
	return no
}

// chooses says whether selector v chooses arm i of n.
func chooses(k BranchKind, v Value, i, n int) verdict {
	switch k {
	case BranchIf:
		if t := truth(v); t != unclear {
			return verdictOf((t == yes) == (i == 0))
		}
	case BranchChoose:
		if v.Kind == ValueNumber && v.Number == math.Trunc(v.Number) && 1 <= v.Number && v.Number <= float64(n) {
			return verdictOf(int(v.Number) == i+1)
		}
	case BranchError:
		return verdictOf(v.Kind == ValueError)
	case BranchNA:
		return verdictOf(v.Kind == ValueError && v.Text == "#N/A")
	}
	return unclear
}

// truth says whether a value counts as true. Texts and blanks are left open:
// engines differ in how they convert them.
func truth(v Value) verdict {
	switch {
	case v.Kind == ValueBool:
		return verdictOf(v.Bool)
	case v.Kind == ValueNumber && !math.IsNaN(v.Number):
		return verdictOf(v.Number != 0)
	}
	return unclear
}

// same says whether two values are equal to SWITCH. Values of different types,
// texts that differ, if at all, in the case of letters, and numbers that differ
// only in digits beyond the fifteenth are left open.
func same(a, b Value) verdict {
	if a.Kind != b.Kind {
		return unclear
	}
	switch a.Kind {
	case ValueBool:
		return verdictOf(a.Bool == b.Bool)
	case ValueText:
		return sameText(a.Text, b.Text)
	case ValueNumber:
		return sameNumber(a.Number, b.Number)
	}
	return unclear
}

func sameText(a, b string) verdict {
	if a == b {
		return yes
	}
	if isASCII(a) && isASCII(b) && !equalFold(a, b) {
		return no
	}
	return unclear
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func sameNumber(a, b float64) verdict {
	if a == b {
		return yes
	}
	if math.Abs(a-b) > 1e-12*math.Max(math.Abs(a), math.Abs(b)) {
		return no
	}
	return unclear
}
