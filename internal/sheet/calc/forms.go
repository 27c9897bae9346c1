package calc

import (
	"errors"
	"strconv"

	"winnow/internal/sheet/formula"
)

// parse reads a formula and refuses forms that are not computed, also in branches: what such a form does to the whole formula,
// whether it spills for example, differs between spreadsheets.
func parse(text string) *parsed {
	f, err := formula.Parse(text)
	if err != nil {
		return &parsed{err: refuse("formula", syntaxProblem(err))}
	}
	formula.Walk(f.Root, func(n formula.Node) bool {
		if why := unsupported(n); why != "" && err == nil {
			err = refuse("formula", why+" (at byte "+strconv.Itoa(n.Pos())+")")
		}
		return err == nil
	})
	if err != nil {
		return &parsed{err: err}
	}
	return &parsed{root: f.Root}
}

func syntaxProblem(err error) string {
	var syntax *formula.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Msg + " (at byte " + strconv.Itoa(syntax.Offset) + ")"
	}
	return err.Error()
}

// unsupported says why a node is not computed, or "". Nodes that it does not know are refused.
func unsupported(n formula.Node) string {
	switch n := n.(type) {
	case *formula.Text, *formula.Bool, *formula.Paren, *formula.Empty:
		return ""
	case *formula.Number:
		if _, err := strconv.ParseFloat(n.Text, 64); err != nil {
			return "the number " + n.Text + " is out of range"
		}
		return ""
	case *formula.ErrorValue:
		return unless(errorNumber(n.Code) > 0, "the error "+n.Code+" is not supported")
	case *formula.Reference:
		return foreign(n.Prefix)
	case *formula.Name:
		return foreign(n.Prefix)
	case *formula.Call:
		return unless(n.Prefix == (formula.Prefix{}), "calls of add-ins are not supported")
	case *formula.Array:
		return "array constants are not supported"
	case *formula.Table:
		return "structured references are not supported"
	case *formula.Invoke:
		return "calls of computed functions are not supported"
	default:
		return unsupportedOperator(n)
	}
}

func foreign(p formula.Prefix) string {
	return unless(p.Book == "" && p.Last == "", "external and 3-D references are not supported")
}

func unsupportedOperator(n formula.Node) string {
	var op formula.Op
	switch n := n.(type) {
	case *formula.Unary:
		op = n.Op
	case *formula.Postfix:
		op = n.Op
	case *formula.Binary:
		op = n.Op
	}
	switch op {
	case formula.OpNone:
		return "unsupported syntax"
	case formula.OpImplicit:
		return "implicit intersection is not supported"
	case formula.OpSpill:
		return "spill references are not supported"
	case formula.OpRange:
		return "computed ranges are not supported"
	case formula.OpUnion:
		return "unions are not supported"
	case formula.OpIntersect:
		return "intersections are not supported"
	}
	return ""
}

// isOmitted reports whether an argument is left out, as the second one in IF(A1,,2).
func isOmitted(n formula.Node) bool {
	_, ok := n.(*formula.Empty)
	return ok
}
