package calc

import "winnow/internal/sheet/formula"

// fnCount is COUNT, COUNTA and COUNTBLANK, the functions that look at errors without passing them on.
func (e *evaluator) fnCount(n *formula.Call) (operand, error) {
	if len(n.Args) == 0 || n.Name == "COUNTBLANK" && len(n.Args) > 1 {
		return operand{}, refuse(n.Name, "wrong number of arguments")
	}
	total := 0
	for _, arg := range n.Args {
		o, err := e.node(arg, false)
		if err != nil {
			return operand{}, err
		}
		count, err := e.countOperand(n.Name, o)
		if err != nil {
			return operand{}, err
		}
		total += count
	}
	return operand{val: Number(float64(total))}, nil
}

func (e *evaluator) countOperand(name string, o operand) (int, error) {
	switch {
	case o.missing:
		return 0, refuse(name, "an argument is omitted")
	case o.ref == nil && name == "COUNTBLANK":
		return 0, refuse(name, "the argument is not a range")
	case o.ref == nil:
		return countScalar(name, o.val)
	case o.ref.whole() && name == "COUNTBLANK":
		return 0, refuse(name, "the unused part of a column would count")
	}
	block, err := e.block(o.ref)
	if err != nil {
		return 0, err
	}
	count := 0
	for _, row := range block {
		for _, v := range row {
			if v.kind == KindBool && name == "COUNT" {
				return 0, refuse(name, "a range holds a truth value, which spreadsheets treat differently")
			}
			if counts(name, v) {
				count++
			}
		}
	}
	return count, nil
}

func counts(name string, v Value) bool {
	switch name {
	case "COUNT":
		return v.kind == KindNumber
	case "COUNTA":
		return v.kind != KindBlank
	default:
		return v.kind == KindBlank || v.kind == KindText && v.str == ""
	}
}

// countScalar counts a value that is written into the formula: a truth value or a number in text is a number there.
func countScalar(name string, v Value) (int, error) {
	if name == "COUNTA" {
		return 1, nil
	}
	if v.kind == KindError {
		return 0, nil
	}
	v, err := toNumber(v)
	if err != nil || v.kind == KindError {
		return 0, err
	}
	return 1, nil
}
