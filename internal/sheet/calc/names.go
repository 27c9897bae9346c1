package calc

import (
	"strings"

	"winnow/internal/sheet/formula"
)

// nameKey is a name as a formula writes it, seen from a sheet.
type nameKey struct {
	sheet int
	name  string
}

// definition is what a name stands for: a constant or an absolute reference.
type definition struct {
	val Value
	ref *formula.Reference
	err error
}

// name evaluates a defined name.
func (e *evaluator) name(n *formula.Name) (operand, error) {
	s := e.at.sheet
	if n.Prefix.Sheet != "" {
		var err error
		if s, err = e.b.sheet(n.Prefix.Sheet); err != nil {
			return operand{}, err
		}
	}
	e.b.readName(s, n.Name)
	at := nameKey{s.index, n.Name}
	d := e.b.names[at]
	if d == nil {
		d = e.b.define(at)
		e.b.names[at] = d
	}
	if d.err != nil || d.ref == nil {
		return operand{val: d.val}, d.err
	}
	a, err := e.resolve(d.ref)
	return operand{ref: a}, err
}

// define reads a definition. Only a single reference or constant is taken: anything else may refer to itself or to the position
// of its user.
func (b *Book) define(at nameKey) *definition {
	text, ok := b.lookupName(at)
	if !ok {
		return &definition{err: refuse(at.name, "there is no such name")}
	}
	p := parse(text)
	if p.err != nil {
		return &definition{err: p.err}
	}
	if r, ok := p.root.(*formula.Reference); ok && absolute(r) {
		return &definition{ref: r}
	}
	if v, ok := literalValue(p.root); ok {
		return &definition{val: v}
	}
	return &definition{err: refuse(at.name, "the name stands for neither a constant nor an absolute reference")}
}

func absolute(r *formula.Reference) bool {
	from, to := r.Range.From, r.Range.To
	return r.Prefix.Sheet != "" && from.AbsRow && from.AbsCol && to.AbsRow && to.AbsCol
}

// lookupName finds the definition of the sheet, else that of the workbook.
func (b *Book) lookupName(at nameKey) (text string, found bool) {
	for _, n := range b.wb.Names {
		if !strings.EqualFold(n.Name, at.name) {
			continue
		}
		if n.Sheet == at.sheet {
			return n.RefersTo, true
		}
		if n.Sheet < 0 {
			text, found = n.RefersTo, true
		}
	}
	return text, found
}
