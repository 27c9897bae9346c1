package formula

// Shift returns the formula as it reads in a cell dRow rows below and dCol
// columns to the right: the relative parts of references move, parts with "$"
// stay. A reference that leaves the sheet becomes #REF!. This gives the formula
// of a dependent of a shared formula from that of its master.
func (f *Formula) Shift(dRow, dCol int) *Formula {
	d := Offset{dRow, dCol}
	return &Formula{Root: mapReferences(f.Root, func(r *Reference) Node {
		rng, ok := r.Range.shift(d)
		if !ok {
			return &ErrorValue{r.At, refError}
		}
		return &Reference{r.At, r.Prefix, rng}
	})}
}

// mapReferences copies a tree with each reference to cells replaced; subtrees
// that hold no reference may be shared with the original.
func mapReferences(n Node, f func(*Reference) Node) Node {
	switch n := n.(type) {
	case *Reference:
		return f(n)
	case *Unary:
		return &Unary{n.At, n.Op, mapReferences(n.X, f)}
	case *Postfix:
		return &Postfix{n.At, n.Op, mapReferences(n.X, f)}
	case *Binary:
		return &Binary{n.At, n.Op, mapReferences(n.X, f), mapReferences(n.Y, f)}
	case *Paren:
		return &Paren{n.At, mapReferences(n.X, f)}
	case *Call:
		return &Call{n.At, n.Prefix, n.Marker, n.Name, mapAll(n.Args, f)}
	case *Invoke:
		return &Invoke{n.At, mapReferences(n.Fun, f), mapAll(n.Args, f)}
	}
	return n
}

func mapAll(ns []Node, f func(*Reference) Node) []Node {
	out := make([]Node, len(ns))
	for i, n := range ns {
		out[i] = mapReferences(n, f)
	}
	return out
}
