package formula

import (
	"cmp"
	"slices"
	"strconv"
)

// HazardKind is a reason for not trusting a formula.
type HazardKind uint8

// Kinds of hazards.
const (
	HazardVolatile     HazardKind = iota // another value each time
	HazardDynamic                        // reads cells that are not written in it
	HazardEnvironment                    // depends on more than cell values
	HazardExternal                       // reads another workbook
	HazardArray                          // evaluated over, or gives, an array
	HazardIntersection                   // an area where a single value is needed
	HazardSpill                          // reads a spilled array
	HazardTable                          // table reference
	Hazard3D                             // reference over several sheets
	HazardLambda                         // binds names or calls functions as values
	HazardUnknown                        // function not in the catalogue
	HazardOperator                       // union or intersection of references
)

var hazardKinds = [...]string{
	"volatile", "dynamic reference", "environment", "external link", "array evaluation",
	"implicit intersection", "spill", "table reference", "3-D reference", "lambda",
	"unknown function", "reference operator",
}

// String names the kind.
func (k HazardKind) String() string { return hazardKinds[k] }

// Hazard is a place in a formula that keeps it from being trusted.
type Hazard struct {
	Kind   HazardKind
	Offset int    // byte offset in the formula
	Token  string // the function, operator or reference
	Why    string // one sentence
}

// Hazards lists what in an expression lets it read cells that are not among its
// references, lets its value depend on something other than its text and the
// values it reads, or needs an evaluation over arrays, ordered by offset. An
// expression without hazards can be trusted as far as the definitions of its
// names can. names tells the sizes of names; a name of unknown size is a hazard
// where a single value is needed.
//
// Not seen from the text, and so for the caller to know: an array formula, a
// data table, iterative calculation, an index of INDEX that is computed to be 0.
func Hazards(n Node, names Names) []Hazard {
	h := hazards{names: names}
	inContext(n, ctxValue, h.visit)
	slices.SortStableFunc(h.list, func(a, b Hazard) int { return cmp.Compare(a.Offset, b.Offset) })
	return h.list
}

type hazards struct {
	names Names
	list  []Hazard
}

func (h *hazards) add(k HazardKind, n Node, token, why string) {
	h.list = append(h.list, Hazard{k, n.Pos(), token, why})
}

func (h *hazards) visit(n Node, c context) {
	switch n := n.(type) {
	case *Reference:
		h.prefix(n, n.Prefix)
		if n.Range.Shape != Single {
			h.area(n, c)
		}
	case *Name:
		h.prefix(n, n.Prefix)
		if info := h.names.lookup(n); info.Rows != 1 || info.Cols != 1 {
			h.area(n, c)
		}
	case *Table:
		h.prefix(n, n.Prefix)
		h.add(HazardTable, n, Print(n), "The cells of a table reference depend on the table, which may grow.")
	case *Array:
		if c != ctxArea {
			h.add(HazardArray, n, Print(n), "An array constant where a single value is needed makes the evaluation run over an array.")
		}
	case *Unary:
		if n.Op == OpImplicit {
			h.add(HazardIntersection, n, "@", "The operator @ picks a cell by the place of the formula.")
		}
	case *Postfix:
		if n.Op == OpSpill {
			h.add(HazardSpill, n, "#", "The cells of a spilled array are known only after calculation.")
		}
	case *Binary:
		h.operator(n)
	case *Call:
		h.call(n, c)
	case *Invoke:
		h.add(HazardLambda, n, "(", "The result of an expression is called as a function.")
	}
}

func (h *hazards) prefix(n Node, p Prefix) {
	if p.Book != "" {
		h.add(HazardExternal, n, Print(n), "The value comes from another workbook.")
	}
	if p.Last != "" {
		h.add(Hazard3D, n, Print(n), "The sheets of a 3-D reference depend on the order of the sheets.")
	}
}

// area reports an area, or a name that may be one, where one is not taken as
// it is.
func (h *hazards) area(n Node, c context) {
	switch c {
	case ctxValue:
		h.add(HazardIntersection, n, Print(n), "An area, or a name that may be one, stands where a single value is needed.")
	case ctxOperand:
		h.add(HazardArray, n, Print(n), "An operator on an area, or on a name that may be one, is evaluated over an array.")
	}
}

func (h *hazards) operator(n *Binary) {
	switch n.Op {
	case OpRange:
		h.add(HazardDynamic, n, ":", "A range between expressions reads the cells between them, which are not written in the formula.")
	case OpIntersect, OpUnion:
		h.add(HazardOperator, n, n.Op.String(), "The union or intersection of references is not evaluated as a plain area.")
	}
}

func (h *hazards) call(n *Call, c context) {
	if n.Prefix != (Prefix{}) {
		h.add(HazardExternal, n, n.Name, "The function is defined in another workbook.")
		return
	}
	f := n.function()
	for _, x := range classHazards {
		if f.Class&x.class != 0 {
			h.add(x.kind, n, n.Name, x.why)
		}
	}
	switch f.Name {
	case "SINGLE":
		h.add(HazardIntersection, n, n.Name, "The operator @ picks a cell by the place of the formula.")
	case "ANCHORARRAY":
		h.add(HazardSpill, n, n.Name, "The cells of a spilled array are known only after calculation.")
	case "SUMIF", "AVERAGEIF":
		h.resized(n, 0)
	case "LOOKUP":
		h.resized(n, 1)
	case "INDEX":
		if c != ctxArea && !h.indexIsSingle(n) {
			h.add(HazardArray, n, n.Name, "INDEX may give a whole row or column here.")
		}
	case "XLOOKUP":
		if c != ctxArea && !h.xlookupIsSingle(n) {
			h.add(HazardArray, n, n.Name, "XLOOKUP may give a whole row or column here.")
		}
	}
}

var classHazards = [...]struct {
	class Class
	kind  HazardKind
	why   string
}{
	{Volatile, HazardVolatile, "The function may give another value each time it is calculated."},
	{Dynamic, HazardDynamic, "The function reads cells that are not written in its arguments."},
	{Environment, HazardEnvironment, "The function depends on more than the values of cells."},
	{ArrayResult, HazardArray, "The function gives an array."},
	{Lambda, HazardLambda, "The function binds names or takes functions as values."},
	{Unknown, HazardUnknown, "The function is user-defined, a macro, or not in the catalogue."},
}

// resized reports a call that reads its third argument in the size of argument
// i: SUMIF(A1:A9,x,B1) reads B1:B9.
func (h *hazards) resized(n *Call, i int) {
	if len(n.Args) < 3 {
		return
	}
	rows, cols := h.size(n.Args[i])
	rows3, cols3 := h.size(n.Args[2])
	_, constant := unwrap(n.Args[2]).(*Array)
	if constant || rows > 0 && rows == rows3 && cols == cols3 {
		return
	}
	h.add(HazardDynamic, n, n.Name, "The function reads its third argument in the size of another, which is not known to be equal.")
}

// size is the size of an argument in cells; 0 if not known.
func (h *hazards) size(n Node) (rows, cols int) {
	switch n := unwrap(n).(type) {
	case *Reference:
		return n.Range.Size()
	case *Name:
		info := h.names.lookup(n)
		return info.Rows, info.Cols
	case *Array:
		return len(n.Rows), len(n.Rows[0])
	}
	return 0, 0
}

// indexIsSingle says whether a call of INDEX gives one cell. An index that is
// left out or 0 takes all rows or columns, harmless only if there is one.
func (h *hazards) indexIsSingle(n *Call) bool {
	if len(n.Args) < 2 {
		return false
	}
	rows, cols := h.size(n.Args[0])
	if len(n.Args) == 2 {
		return (rows == 1 || cols == 1) && !takesAll(n.Args[1]) || rows == 1 && cols == 1
	}
	return (rows == 1 || !takesAll(n.Args[1])) && (cols == 1 || !takesAll(n.Args[2]))
}

func takesAll(index Node) bool {
	switch n := unwrap(index).(type) {
	case *Empty:
		return true
	case *Number:
		v, err := strconv.ParseFloat(n.Text, 64)
		return err != nil || v < 1
	case *Bool:
		return !n.Value
	case *Text:
		return true
	}
	return false
}

func (h *hazards) xlookupIsSingle(n *Call) bool {
	if len(n.Args) < 3 {
		return false
	}
	rows, cols := h.size(n.Args[1])
	rows3, cols3 := h.size(n.Args[2])
	return rows > 0 && rows == rows3 && cols == cols3 && (rows == 1 || cols == 1)
}
