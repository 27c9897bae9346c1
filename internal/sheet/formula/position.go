package formula

import "strings"

// PositionDependent says whether the value of an expression may depend on the
// cell in which it stands, so that its text must not be evaluated in another
// cell of the same sheet. Such are ROW() and the like without an argument,
// areas where a single value is needed, "@", references to the own row of a
// table, INDIRECT, unknown functions, and names that names does not know to be
// fixed.
func PositionDependent(n Node, names Names) (dependent bool) {
	inContext(n, ctxValue, func(n Node, c context) {
		dependent = dependent || dependsOnCell(n, c, names)
	})
	return dependent
}

// dependsOnCell is PositionDependent for one node without those below it.
func dependsOnCell(n Node, c context, names Names) bool {
	switch n := n.(type) {
	case *Reference:
		return n.Range.Shape != Single && c != ctxArea
	case *Name:
		info := names.lookup(n)
		return !info.Fixed || c != ctxArea && info != single
	case *Table:
		return n.Name == "" || c != ctxArea || strings.Contains(n.Spec, "@") ||
			strings.Contains(upperString(n.Spec), "#THIS ROW")
	case *Unary:
		return n.Op == OpImplicit
	case *Binary:
		return n.Op.onReferences() && c != ctxArea
	case *Postfix:
		return n.Op == OpSpill && c != ctxArea
	case *Call:
		return callDependsOnCell(n)
	}
	return false
}

var single = NameInfo{Rows: 1, Cols: 1, Fixed: true}

func callDependsOnCell(c *Call) bool {
	f := c.function()
	switch f.Name {
	case "ROW", "COLUMN", "SHEET":
		return len(c.Args) == 0 || len(c.Args) == 1 && isEmpty(c.Args[0])
	case "CELL":
		return len(c.Args) < 2 || isEmpty(c.Args[1])
	case "FORMULATEXT":
		return false
	case "SINGLE":
		return true
	}
	return f.Class&(Positional|Unknown) != 0
}

func isEmpty(n Node) bool {
	_, ok := n.(*Empty)
	return ok
}
