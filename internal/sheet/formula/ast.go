package formula

// Node is an element of a formula tree. The set of nodes is closed.
//
// The tree keeps parentheses as nodes, so printing it needs no knowledge of
// precedence, and leaves out blanks other than the intersection operator.
type Node interface {
	// Pos is the byte offset of the node in the text it was parsed from.
	Pos() int
	node()
}

// At is the place of a node: its byte offset in the text it was parsed from,
// for operators that of the operator.
type At struct{ Offset int }

// Pos returns the byte offset.
func (a At) Pos() int { return a.Offset }
func (At) node()      {}

// Formula is a parsed formula.
type Formula struct {
	Root Node
}

// Op is an operator.
type Op uint8

// Operators from the tightest to the loosest binding. All binary operators
// associate to the left, ^ too; the prefix operators bind tighter than % and ^,
// so -2^2 is 4.
const (
	OpNone      Op = iota
	OpSpill        // postfix #
	OpRange        // :
	OpIntersect    // blank
	OpUnion        // , outside of an argument list
	OpPlus         // prefix +
	OpMinus        // prefix -
	OpImplicit     // prefix @
	OpPercent      // postfix %
	OpPow
	OpMul
	OpDiv
	OpAdd
	OpSub
	OpConcat
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
)

var opText = [...]string{
	OpNone: "", OpSpill: "#", OpRange: ":", OpIntersect: " ", OpUnion: ",",
	OpPlus: "+", OpMinus: "-", OpImplicit: "@", OpPercent: "%", OpPow: "^",
	OpMul: "*", OpDiv: "/", OpAdd: "+", OpSub: "-", OpConcat: "&",
	OpEq: "=", OpNe: "<>", OpLt: "<", OpLe: "<=", OpGt: ">", OpGe: ">=",
}

// power is the binding power of each operator; a higher one binds tighter.
var power = [...]int{
	OpSpill: 100, OpRange: 90, OpIntersect: 80, OpUnion: 70,
	OpPlus: 60, OpMinus: 60, OpImplicit: 60, OpPercent: 50, OpPow: 40,
	OpMul: 30, OpDiv: 30, OpAdd: 20, OpSub: 20, OpConcat: 10,
	OpEq: 5, OpNe: 5, OpLt: 5, OpLe: 5, OpGt: 5, OpGe: 5,
}

// String returns the operator as it is written in a formula.
func (o Op) String() string { return opText[o] }

// onReferences says whether the operator combines references, not values.
func (o Op) onReferences() bool {
	return o == OpRange || o == OpIntersect || o == OpUnion
}

// Prefix is the part of a reference before the "!". The zero Prefix means that
// there is none.
type Prefix struct {
	Book  string // "[1]" or `C:\dir\[Book.xlsx]`, as written with its brackets; "" if this workbook
	Sheet string // unquoted; "" in [1]!Name
	Last  string // last sheet of a 3-D reference, else ""
}

// Corner is one cell of a reference as written.
type Corner struct {
	Row, Col       int32 // 1-based
	AbsRow, AbsCol bool  // written with $
}

// Shape tells how a Range was written.
type Shape uint8

// Shapes of a Range.
const (
	Single  Shape = iota // A1
	Area                 // A1:B2
	Columns              // A:B
	Rows                 // 1:2
)

// Range is a cell or a rectangle of cells as written: the corners may be any
// two opposite ones. In Columns and Rows the open coordinates run from the
// first to the last and are absolute. From equals To for Single.
type Range struct {
	From, To Corner
	Shape    Shape
}

type (
	// Number is a number without a sign, except inside an Array, where the
	// sign is part of Text. Printed form: 1.5
	Number struct {
		At
		Text string
	}

	// Text is a string; Value has no quotes. Printed form: "say ""hi"""
	Text struct {
		At
		Value string
	}

	// Bool is TRUE or FALSE.
	Bool struct {
		At
		Value bool
	}

	// ErrorValue is an error literal. A reference to something deleted, such
	// as Sheet1!#REF! or #REF!A1, is the plain error. Printed form: #REF!
	ErrorValue struct {
		At
		Code string
	}

	// Array is an array constant of equally long rows of Number, Text, Bool
	// and ErrorValue. Printed form: {1,2;3,4}
	Array struct {
		At
		Rows [][]Node
	}

	// Reference is a cell or an area. Printed form: 'My Sheet'!$A$1:B2
	Reference struct {
		At
		Prefix Prefix
		Range  Range
	}

	// Name is a defined name, or a parameter of LET or LAMBDA. Printed form:
	// Sheet1!Rate
	Name struct {
		At
		Prefix Prefix
		Name   string
	}

	// Table is a structured reference; Spec is its bracketed part, as written.
	// Printed form: Table1[[#Headers],[Col]]
	Table struct {
		At
		Prefix Prefix
		Name   string // "" if the formula stands in the table
		Spec   string
	}

	// Unary is a prefix operator: OpPlus, OpMinus or OpImplicit. Printed: -X
	Unary struct {
		At
		Op Op
		X  Node
	}

	// Postfix is OpPercent or OpSpill after X. Printed form: X%
	Postfix struct {
		At
		Op Op
		X  Node
	}

	// Binary is an infix operator. Printed form: X+Y
	Binary struct {
		At
		Op   Op
		X, Y Node
	}

	// Paren is an expression in parentheses. Printed form: (X)
	Paren struct {
		At
		X Node
	}

	// Call is a call of a function by name. Name is in upper case (ASCII) and
	// without the markers _xlfn. and _xlws. if the catalogue then knows it;
	// the marker is kept apart. A Prefix names the add-in that has the
	// function. Printed form: _xlfn.IFS(X,Y)
	Call struct {
		At
		Prefix Prefix
		Marker string // "", "_xlfn." or "_xlfn._xlws."
		Name   string
		Args   []Node
	}

	// Invoke is a call of the result of an expression. Printed form:
	// LAMBDA(_xlpm.x,_xlpm.x+1)(2)
	Invoke struct {
		At
		Fun  Node
		Args []Node
	}

	// Empty is an argument left out, as the second one in IF(A1,,2).
	Empty struct {
		At
	}
)

// Walk calls visit for n and everything below it, in the order of the text,
// parents first. It does not go below a node for which visit returns false.
func Walk(n Node, visit func(Node) bool) {
	if !visit(n) {
		return
	}
	switch n := n.(type) {
	case *Array:
		for _, row := range n.Rows {
			walkAll(row, visit)
		}
	case *Unary:
		Walk(n.X, visit)
	case *Postfix:
		Walk(n.X, visit)
	case *Binary:
		Walk(n.X, visit)
		Walk(n.Y, visit)
	case *Paren:
		Walk(n.X, visit)
	case *Call:
		walkAll(n.Args, visit)
	case *Invoke:
		Walk(n.Fun, visit)
		walkAll(n.Args, visit)
	}
}

func walkAll(ns []Node, visit func(Node) bool) {
	for _, n := range ns {
		Walk(n, visit)
	}
}
