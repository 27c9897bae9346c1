package formula

// context says what the place of a node makes of an area.
type context uint8

const (
	// ctxValue needs a single value: an area is cut down to the cell in the
	// row or column of the formula, or makes the result an array.
	ctxValue context = iota
	// ctxOperand is the operand of an operator on values: an area makes the
	// operation run over an array.
	ctxOperand
	// ctxArea takes areas as they are.
	ctxArea
)

// NameInfo is what a caller knows about a defined name. The zero NameInfo knows
// nothing, which is always safe.
type NameInfo struct {
	Rows, Cols int  // size of the value, 1 by 1 for a single one; 0 if not known
	Fixed      bool // the value is the same in every cell of the sheet
}

// Names looks up a defined name as it is written in a formula, sheet being ""
// if none is given. A nil Names knows nothing about any name.
type Names func(sheet, name string) NameInfo

func (names Names) lookup(n *Name) NameInfo {
	if names == nil || n.Prefix.Book != "" || n.Prefix.Last != "" {
		return NameInfo{}
	}
	return names(n.Prefix.Sheet, n.Name)
}

// Describe derives the NameInfo of a name from its definition. It does not make
// the definition safe: its hazards and references are those of its users.
func Describe(def *Formula, names Names) NameInfo {
	root := unwrap(def.Root)
	if r, ok := root.(*Reference); ok {
		if r.Prefix.Book != "" || r.Prefix.Last != "" {
			return NameInfo{}
		}
		rows, cols := r.Range.Size()
		return NameInfo{Rows: rows, Cols: cols, Fixed: !r.Range.relative()}
	}
	if len(Hazards(root, names)) > 0 {
		return NameInfo{}
	}
	return NameInfo{Rows: 1, Cols: 1, Fixed: !PositionDependent(root, names) && !hasRelative(root)}
}

func unwrap(n Node) Node {
	for {
		p, ok := n.(*Paren)
		if !ok {
			return n
		}
		n = p.X
	}
}

func (r Range) relative() bool {
	return !r.From.AbsRow || !r.From.AbsCol || !r.To.AbsRow || !r.To.AbsCol
}

func hasRelative(n Node) (found bool) {
	Walk(n, func(n Node) bool {
		if r, ok := n.(*Reference); ok && r.Range.relative() {
			found = true
		}
		return !found
	})
	return found
}

// inContext calls visit for n and everything below it, each with its context.
func inContext(n Node, c context, visit func(Node, context)) {
	visit(n, c)
	switch n := n.(type) {
	case *Unary:
		inContext(n.X, operandContext(n.Op), visit)
	case *Postfix:
		inContext(n.X, operandContext(n.Op), visit)
	case *Binary:
		inContext(n.X, operandContext(n.Op), visit)
		inContext(n.Y, operandContext(n.Op), visit)
	case *Paren:
		inContext(n.X, c, visit)
	case *Call:
		f := n.function()
		for i, arg := range n.Args {
			inContext(arg, argContext(n.param(f, i), c), visit)
		}
	case *Invoke:
		inContext(n.Fun, ctxArea, visit)
		for _, arg := range n.Args {
			inContext(arg, ctxArea, visit)
		}
	}
}

func operandContext(op Op) context {
	if op.onReferences() || op == OpSpill || op == OpImplicit {
		return ctxArea
	}
	return ctxOperand
}

func argContext(param byte, call context) context {
	switch param {
	case 'a':
		return ctxArea
	case 'v':
		return call
	}
	return ctxValue
}
