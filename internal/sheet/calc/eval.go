package calc

import (
	"context"
	"errors"
	"strconv"

	"winnow/internal/sheet/formula"
)

// maxDepth is how many cells deep an evaluation recurses. A deeper cell is put on an explicit stack, computed first, and the
// evaluation that asked for it starts again; so a chain of any length needs little stack and about twice the work.
const maxDepth = 200

// maxLevel is the same for the expressions inside one another, over all cells on the way: a hostile formula of its own is some
// ten thousand levels deep, and the stack of a program is bounded.
const maxLevel = 10_000

// needed interrupts an evaluation until cell has been computed.
type needed struct{ cell *cell }

func (n *needed) Error() string { return "not computed yet: " + n.cell.name() }

// run computes a cell and everything it needs.
func (b *Book) run(ctx context.Context, target *cell) (Value, error) {
	ctx, cancel := context.WithTimeout(ctx, b.opt.Timeout)
	defer cancel()
	stack := []*cell{target}
	for {
		top := stack[len(stack)-1]
		top.state = idle // it waited; now it is evaluated
		v, err := (&evaluator{b: b, ctx: ctx}).cell(top)
		var need *needed
		if errors.As(err, &need) {
			top.state, top.at = pending, b.gen
			stack = append(stack, need.cell)
			continue
		}
		if len(stack) == 1 || isInterrupt(err) {
			v.soft = false
			return v, err
		}
		stack = stack[:len(stack)-1]
	}
}

func isInterrupt(err error) bool {
	return errors.Is(err, ErrTimeout) || errors.Is(err, context.Canceled) || errors.Is(err, ErrCycle)
}

// evaluator evaluates formulas. at is the cell whose formula is being evaluated.
type evaluator struct {
	b     *Book
	ctx   context.Context
	at    *cell
	depth int // cells
	level int // expressions
}

// cell returns the value of a cell, computing it if need be.
func (e *evaluator) cell(c *cell) (Value, error) {
	if c.input {
		return c.setTo, nil
	}
	if c.refused != "" {
		return Value{}, &CellError{Sheet: c.sheet.name(), Cell: c.name(), Why: c.refused, Err: ErrRefused}
	}
	if !c.formula {
		return c.base, nil
	}
	if c.at == e.b.gen {
		switch c.state {
		case done:
			return c.val, c.err
		case pending:
			return Value{}, e.cycle(c)
		}
	}
	if e.depth >= maxDepth || e.level >= maxLevel {
		return Value{}, &needed{c}
	}
	return e.compute(c)
}

func (e *evaluator) compute(c *cell) (Value, error) {
	if e.ctx.Err() != nil {
		return Value{}, interrupted(e.ctx, c)
	}
	c.state, c.at = pending, e.b.gen
	e.b.path = append(e.b.path, c)
	inner := &evaluator{b: e.b, ctx: e.ctx, at: c, depth: e.depth + 1, level: e.level}
	v, err := inner.formula(c)
	e.b.path = e.b.path[:len(e.b.path)-1]
	var need *needed
	if errors.As(err, &need) || isInterrupt(err) {
		c.state = idle
		return Value{}, err
	}
	if err != nil {
		err = located(err, c)
	}
	c.state, c.val, c.err = done, v, err
	return v, err
}

// interrupted says at which cell the time ran out or the caller gave up.
func interrupted(ctx context.Context, c *cell) error {
	err := ctx.Err()
	if errors.Is(err, context.DeadlineExceeded) {
		err = ErrTimeout
	}
	return &CellError{Sheet: c.sheet.name(), Cell: c.name(), Err: err}
}

// located adds the cell to a refusal; an error that names a cell already keeps it.
func located(err error, c *cell) error {
	var r *refusal
	if errors.As(err, &r) {
		return &CellError{Sheet: c.sheet.name(), Cell: c.name(), What: r.what, Why: r.why, Err: ErrRefused}
	}
	var known *CellError
	if errors.As(err, &known) {
		return err
	}
	return &CellError{Sheet: c.sheet.name(), Cell: c.name(), Why: err.Error(), Err: err}
}

func (e *evaluator) cycle(closing *cell) error {
	report := &CycleError{First: closing.place()}
	start := 0
	for i, c := range e.b.path {
		if c == closing {
			start = i
		}
	}
	for _, c := range e.b.path[start:] {
		report.Cells = append(report.Cells, c.place())
	}
	return report
}

func (e *evaluator) formula(c *cell) (Value, error) {
	n, err := c.tree()
	if err != nil {
		return Value{}, err
	}
	o, err := e.node(n, true)
	if err != nil {
		return Value{}, err
	}
	v, err := e.scalar(o)
	if err == nil && v.kind == KindBlank {
		v = Value{kind: KindNumber, soft: true}
	}
	return v, err
}

// operand is the result of a node: a value or a reference to an area.
type operand struct {
	val     Value
	ref     *area
	missing bool
}

// node evaluates one node. root says that its value is the value of a whole cell; parentheses around it take that away.
func (e *evaluator) node(n formula.Node, root bool) (operand, error) {
	e.level++
	o, err := e.form(n, root)
	e.level--
	return o, err
}

func (e *evaluator) form(n formula.Node, root bool) (operand, error) {
	switch n := n.(type) {
	case *formula.Empty:
		return operand{missing: true}, nil
	case *formula.Reference:
		a, err := e.resolve(n)
		return operand{ref: a}, err
	case *formula.Name:
		return e.name(n)
	case *formula.Call:
		return e.call(n)
	case *formula.Paren:
		return e.node(n.X, false)
	}
	if v, ok := literalValue(n); ok {
		return operand{val: v}, nil
	}
	v, err := e.operator(n, root)
	return operand{val: v}, err
}

// literalValue returns the value of a constant, and whether n is one.
func literalValue(n formula.Node) (Value, bool) {
	switch n := n.(type) {
	case *formula.Number:
		f, err := strconv.ParseFloat(n.Text, 64)
		return Number(f), err == nil
	case *formula.Text:
		return Text(n.Value), true
	case *formula.Bool:
		return Bool(n.Value), true
	case *formula.ErrorValue:
		return Error(n.Code), true
	}
	return Value{}, false
}

func (e *evaluator) operator(n formula.Node, root bool) (Value, error) {
	switch n := n.(type) {
	case *formula.Unary:
		return e.unary(n.Op, n.X)
	case *formula.Postfix:
		return e.unary(n.Op, n.X)
	case *formula.Binary:
		x, err := e.value(n.X)
		if err != nil {
			return Value{}, err
		}
		y, err := e.value(n.Y)
		if err != nil {
			return Value{}, err
		}
		return binary(n.Op.String(), x, y, root)
	}
	return Value{}, refuse("formula", "unsupported syntax")
}

func (e *evaluator) unary(op formula.Op, x formula.Node) (Value, error) {
	v, err := e.value(x)
	if err != nil || op == formula.OpPlus {
		return v, err
	}
	if op == formula.OpMinus && v.kind == KindBool {
		return Value{}, refuse("-", "the negation of a truth value is a number or a truth value, depending on the spreadsheet")
	}
	v, err = toNumber(v)
	if err != nil || v.kind == KindError {
		return v, err
	}
	switch op {
	case formula.OpMinus:
		return Number(-v.num), nil
	case formula.OpPercent:
		return Number(v.num / 100), nil
	}
	return Value{}, refuse(op.String(), "the operator is not supported")
}

// value evaluates a node where a scalar is needed.
func (e *evaluator) value(n formula.Node) (Value, error) {
	o, err := e.node(n, false)
	if err != nil {
		return Value{}, err
	}
	return e.scalar(o)
}

func (e *evaluator) scalar(o operand) (Value, error) {
	if o.ref == nil {
		return o.val, nil
	}
	if !o.ref.one() {
		return Value{}, refuse("range", "a range stands where one value is needed")
	}
	return e.lookAt(o.ref)
}
