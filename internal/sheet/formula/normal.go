package formula

// Normal returns the normal form of the formula at the cell that holds it:
//
//   - a reference to cells is written with both coordinates relative to the
//     holding cell, R[-4]C[-1], or R[-4]C[-1]:R[0]C[0] with the upper left
//     corner first; "$" is left out, since it does not matter to the value;
//   - whole columns and rows are written as the areas that they are, from the
//     first to the last row or column. Like $A$1 they stay where they are when
//     the formula moves, so their relative form changes: MATCH(x,A:A,0) counts
//     from row 1, wherever it stands;
//   - the sheet of a reference is left out if it is the sheet of the cell, and
//     else written in quotes with ASCII letters in upper case: 'RATES'!R[0]C[1];
//   - function names, defined names and table names are in upper case (ASCII);
//     the markers _xlfn. and _xlws. are left out of functions in the catalogue;
//   - the range operator between expressions is "::", apart from the colon of
//     an area;
//   - blanks are left out but for the intersection operator, one blank;
//   - numbers (but for the E of the exponent), texts, brackets of table
//     references and parentheses stay as they are;
//   - @R5, @C3, @R5C3 or @'SHEET1'!R5C3 follows, the holding cell itself, if
//     the formula has a function that depends on places (ROW, COLUMN; CELL,
//     INDIRECT, SHEET, FORMULATEXT; unknown functions).
//
// Hence cells filled down with relative references, and cells moved together
// with everything they read, have equal normal forms.
func (f *Formula) Normal(at Cell) string {
	e := emitter{at: at}
	e.node(f.Root)
	e.finish()
	return string(e.dst)
}

// Skeleton returns the normal form with each reference replaced by a hole. Hole
// $n stands for element n-1 of Refs. The hole of an area has its size, in rows
// and columns, with * for all rows or all columns of a sheet:
//
//	IF($1>$2,SUM($3[39x1])*$4,VLOOKUP($5,$6[*x2],3,FALSE))
//
// A formula that depends on its place has it in its skeleton too.
func (f *Formula) Skeleton(at Cell) string {
	e := emitter{at: at, holes: true}
	e.node(f.Root)
	e.finish()
	return string(e.dst)
}

// Refs lists the references of the formula, in the order of the text, as seen
// from a cell of the given sheet. What functions such as OFFSET and INDIRECT read
// beyond their arguments is not among them.
func (f *Formula) Refs(sheet string) []Ref {
	e := emitter{at: Cell{Sheet: sheet}, noText: true, holes: true, wantRefs: true}
	e.node(f.Root)
	return e.refs
}

// node writes a tree.
func (e *emitter) node(n Node) {
	switch n := n.(type) {
	case *Number:
		e.upper(n.Text)
	case *Text:
		e.text(n.Value)
	case *Bool:
		e.str(boolText(n.Value))
	case *ErrorValue:
		e.str(n.Code)
	case *Array:
		e.array(n)
	case *Reference:
		e.ref(&n.Prefix, &n.Range)
	case *Name:
		e.name(&n.Prefix, n.Name)
	case *Table:
		e.table(&n.Prefix, n.Name, n.Spec)
	case *Unary:
		e.op(n.Op)
		e.node(n.X)
	case *Postfix:
		e.node(n.X)
		e.op(n.Op)
	case *Binary:
		e.node(n.X)
		e.op(n.Op)
		e.node(n.Y)
	case *Paren:
		e.byte('(')
		e.list([]Node{n.X})
	case *Call:
		e.function(&n.Prefix, n.Name)
		e.list(n.Args)
	case *Invoke:
		e.node(n.Fun)
		e.byte('(')
		e.list(n.Args)
	}
}

// list writes what follows an opening parenthesis.
func (e *emitter) list(ns []Node) {
	for i, n := range ns {
		if i > 0 {
			e.byte(',')
		}
		e.node(n)
	}
	e.byte(')')
}

func (e *emitter) text(s string) {
	e.lastRef = false
	if !e.noText {
		e.dst = appendQuoted(e.dst, s, '"')
	}
}

func (e *emitter) array(a *Array) {
	sep := byte('{')
	for _, row := range a.Rows {
		for _, n := range row {
			e.byte(sep)
			e.node(n)
			sep = ','
		}
		sep = ';'
	}
	e.byte('}')
}
