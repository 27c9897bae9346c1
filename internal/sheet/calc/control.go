package calc

import (
	"math"
	"slices"

	"winnow/internal/sheet/formula"
)

// The functions of this file decide what is evaluated. A branch that is not taken is not looked at: neither an error, nor a
// refused function, nor a cycle in it matters. Traces rely on that.

// special returns the implementation of a function that is computed here, or nil.
func special(name string) func(*evaluator, *formula.Call) (operand, error) {
	switch name {
	case "IF":
		return (*evaluator).fnIf
	case "IFS":
		return (*evaluator).fnIfs
	case "IFERROR":
		return func(e *evaluator, n *formula.Call) (operand, error) {
			return e.fnCatch(n, func(Value) bool { return true })
		}
	case "IFNA":
		return func(e *evaluator, n *formula.Call) (operand, error) {
			return e.fnCatch(n, func(v Value) bool { return v.str == ErrCodeNA })
		}
	case "CHOOSE":
		return (*evaluator).fnChoose
	case "SWITCH":
		return (*evaluator).fnSwitch
	case "AND", "OR", "XOR":
		return (*evaluator).fnLogic
	case "COUNTIF", "COUNTIFS", "SUMIF", "SUMIFS", "AVERAGEIF", "AVERAGEIFS", "MAXIFS", "MINIFS":
		return (*evaluator).fnConditional
	case "ROUND", "ROUNDUP", "ROUNDDOWN", "TRUNC":
		return (*evaluator).fnRound
	case "MID":
		return (*evaluator).fnMid
	case "EDATE", "EOMONTH":
		return (*evaluator).fnMonths
	case "COUNT", "COUNTA", "COUNTBLANK":
		return (*evaluator).fnCount
	case "INDEX":
		return (*evaluator).fnIndex
	case "ROW", "COLUMN", "ROWS", "COLUMNS":
		return (*evaluator).fnPosition
	}
	if simple := onValue(name); simple != nil {
		return func(e *evaluator, n *formula.Call) (operand, error) { return e.fnOnValue(n, simple) }
	}
	return nil
}

func arity(n *formula.Call, least, most int) error {
	if len(n.Args) < least || len(n.Args) > most {
		return refuse(n.Name, "wrong number of arguments")
	}
	return nil
}

// branch evaluates a taken branch; an omitted one counts as 0.
func (e *evaluator) branch(n formula.Node) (operand, error) {
	if isOmitted(n) {
		return operand{val: Number(0)}, nil
	}
	return e.node(n, false)
}

// condition returns an error value or a truth value.
func (e *evaluator) condition(n formula.Node) (Value, error) {
	v, err := e.value(n)
	if err != nil {
		return Value{}, err
	}
	return toBool(v)
}

func (e *evaluator) fnIf(n *formula.Call) (operand, error) {
	if err := arity(n, 2, 3); err != nil {
		return operand{}, err
	}
	cond, err := e.condition(n.Args[0])
	switch {
	case err != nil || cond.kind == KindError:
		return operand{val: cond}, err
	case cond.num != 0:
		return e.branch(n.Args[1])
	case len(n.Args) == 3:
		return e.branch(n.Args[2])
	default:
		return operand{val: Bool(false)}, nil
	}
}

func (e *evaluator) fnIfs(n *formula.Call) (operand, error) {
	if len(n.Args) == 0 || len(n.Args)%2 != 0 {
		return operand{}, refuse(n.Name, "wrong number of arguments")
	}
	for i := 0; i < len(n.Args); i += 2 {
		cond, err := e.condition(n.Args[i])
		if err != nil || cond.kind == KindError {
			return operand{val: cond}, err
		}
		if cond.num != 0 {
			return e.branch(n.Args[i+1])
		}
	}
	return operand{val: Error(ErrCodeNA)}, nil
}

// fnCatch is IFERROR and IFNA. Only error values are caught: a refusal is a Go error and passes.
func (e *evaluator) fnCatch(n *formula.Call, caught func(Value) bool) (operand, error) {
	if err := arity(n, 2, 2); err != nil {
		return operand{}, err
	}
	v, err := e.value(n.Args[0])
	if err != nil {
		return operand{}, err
	}
	if v.kind == KindError && caught(v) {
		return e.branch(n.Args[1])
	}
	return operand{val: v}, nil
}

func (e *evaluator) fnChoose(n *formula.Call) (operand, error) {
	if err := arity(n, 2, 255); err != nil {
		return operand{}, err
	}
	index, err := e.number(n.Args[0])
	if err != nil || index.kind == KindError {
		return operand{val: index}, err
	}
	i := math.Trunc(index.num)
	if i < 1 || i >= float64(len(n.Args)) {
		return operand{val: Error(ErrCodeValue)}, nil
	}
	return e.branch(n.Args[int(i)])
}

func (e *evaluator) fnSwitch(n *formula.Call) (operand, error) {
	if err := arity(n, 3, 254); err != nil {
		return operand{}, err
	}
	subject, err := e.value(n.Args[0])
	if err != nil || subject.kind == KindError {
		return operand{val: subject}, err
	}
	i := 1
	for ; i+1 < len(n.Args); i += 2 {
		v, err := e.value(n.Args[i])
		if err != nil {
			return operand{}, err
		}
		if v.kind != subject.kind {
			return operand{}, refuse(n.Name, "values of different types are compared")
		}
		same, err := compare("=", subject, v)
		if err != nil {
			return operand{}, err
		}
		if same.num != 0 {
			return e.branch(n.Args[i+1])
		}
	}
	if i < len(n.Args) {
		return e.branch(n.Args[i])
	}
	return operand{val: Error(ErrCodeNA)}, nil
}

func (e *evaluator) number(n formula.Node) (Value, error) {
	v, err := e.value(n)
	if err != nil {
		return Value{}, err
	}
	return toNumber(v)
}

// fnLogic evaluates all arguments: AND and OR do not stop early. In ranges, texts and blanks do not count.
func (e *evaluator) fnLogic(n *formula.Call) (operand, error) {
	count, trues := 0, 0
	var failed Value
	add := func(v Value) {
		if count++; v.num != 0 {
			trues++
		}
	}
	for _, arg := range n.Args {
		v, err := e.logicArgument(arg, add)
		if err != nil {
			return operand{}, err
		}
		if failed, err = firstError(failed, v); err != nil {
			return operand{}, err
		}
	}
	if failed.kind == KindError {
		return operand{val: failed}, nil
	}
	if count == 0 {
		return operand{val: Error(ErrCodeValue)}, nil
	}
	switch n.Name {
	case "AND":
		return operand{val: Bool(trues == count)}, nil
	case "OR":
		return operand{val: Bool(trues > 0)}, nil
	default:
		return operand{val: Bool(trues%2 == 1)}, nil
	}
}

func (e *evaluator) logicArgument(arg formula.Node, add func(Value)) (failed Value, err error) {
	o, err := e.node(arg, false)
	if err != nil {
		return Value{}, err
	}
	if o.missing {
		return Value{}, refuse("AND or OR", "an argument is omitted")
	}
	if o.ref == nil {
		v, err := toBool(o.val)
		if err == nil && v.kind == KindBool {
			add(v)
		}
		return v, err
	}
	block, err := e.block(o.ref)
	if err != nil {
		return Value{}, err
	}
	for _, v := range slices.Concat(block...) {
		if v.kind == KindNumber || v.kind == KindBool {
			add(v)
		}
	}
	return firstError(slices.Concat(block...)...)
}
