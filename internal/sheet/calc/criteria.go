package calc

import (
	"regexp"
	"slices"
	"strings"

	"winnow/internal/sheet/formula"
)

// Conditional sums and counts are computed here: excelize counts texts as greater than any number.

// criterion is one condition on cells, such as ">5" or "ab*".
type criterion struct {
	op      string
	number  bool
	operand Value
	pattern *regexp.Regexp // for texts compared with = or <>
	wild    bool           // the pattern has wildcards
}

func parseCriterion(v Value) (*criterion, error) {
	if v.kind != KindText {
		return &criterion{op: "=", number: v.kind == KindNumber, operand: v}, nil
	}
	c := &criterion{op: "="}
	rest := v.str
	for _, op := range []string{"<>", "<=", ">=", "=", "<", ">"} {
		if strings.HasPrefix(rest, op) {
			c.op, rest = op, rest[len(op):]
			break
		}
	}
	if rest == "" {
		return nil, refuse("criterion", "spreadsheets differ on which cells count as empty")
	}
	if plainNumber(rest) {
		n, err := textToNumber(rest)
		c.number, c.operand = true, n
		return c, err
	}
	return c.parseText(rest)
}

func (c *criterion) parseText(rest string) (*criterion, error) {
	upper := strings.ToUpper(rest)
	if strings.ContainsAny(rest[:1], "0123456789.-+#$ ") || upper == "TRUE" || upper == "FALSE" {
		return nil, refuse("criterion", "whether it is a text depends on the locale")
	}
	if c.op != "=" && c.op != "<>" {
		return nil, refuse("criterion", "the order of texts depends on the locale")
	}
	if strings.Contains(rest, "~") {
		return nil, refuse("criterion", "escapes are not supported")
	}
	quoted := regexp.QuoteMeta(rest)
	quoted = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(quoted)
	c.operand, c.wild = Text(rest), strings.ContainsAny(rest, "*?")
	c.pattern = regexp.MustCompile(`(?is)^` + quoted + `$`)
	return c, nil
}

// blank reports whether blank cells match, so that the unused part of a column would count.
func (c *criterion) blank() bool { return c.op == "<>" }

func (c *criterion) match(v Value) (bool, error) {
	switch {
	case v.kind == KindError && c.op == "<>":
		return false, refuse("criterion", "a range holds an error value")
	case v.kind == KindBool || c.operand.kind == KindBool:
		return false, refuse("criterion", "truth values are treated differently by spreadsheets")
	case c.number && v.kind == KindText && c.op == "=" && strings.ContainsAny(v.str, "0123456789"):
		return false, refuse("criterion", "a number is looked for among texts with digits")
	case c.wild && v.kind == KindNumber:
		return false, refuse("criterion", "whether a pattern matches a number depends on the spreadsheet")
	case c.pattern != nil:
		hit := v.kind == KindText && c.pattern.MatchString(v.str)
		return hit == (c.op == "="), nil
	case v.kind != c.operand.kind:
		return c.op == "<>", nil
	}
	same, err := compare(c.op, v, c.operand)
	return same.num != 0, err
}

// conditional is a parsed call: ranges with their criteria, and the range whose cells are added up.
type conditional struct {
	tests  []part
	crits  []*criterion
	values part
}

// fnConditional is COUNTIF, SUMIF and their relatives.
func (e *evaluator) fnConditional(n *formula.Call) (operand, error) {
	order, err := conditionalOrder(n)
	if err != nil {
		return operand{}, err
	}
	var c conditional
	for i := 0; i+1 < len(order.pairs); i += 2 {
		failed, err := e.addTest(&c, n, order.pairs[i], order.pairs[i+1])
		if err != nil || failed.kind == KindError {
			return operand{val: failed}, err
		}
	}
	c.values = c.tests[0]
	if order.values != nil {
		if c.values, err = e.testRange(n, order.values); err != nil {
			return operand{}, err
		}
	}
	if !c.sameSize() {
		return operand{}, refuse(n.Name, "the ranges differ in size")
	}
	if !strings.HasPrefix(n.Name, "COUNT") && c.holdsTruth() {
		return operand{}, refuse(n.Name, "a range holds a truth value, which spreadsheets treat differently")
	}
	v, err := c.aggregate(n.Name)
	return operand{val: v}, err
}

type conditionalArgs struct {
	pairs  []formula.Node
	values formula.Node
}

func conditionalOrder(n *formula.Call) (conditionalArgs, error) {
	count := strings.HasPrefix(n.Name, "COUNT")
	many := strings.HasSuffix(n.Name, "IFS")
	args := conditionalArgs{pairs: n.Args}
	switch {
	case many && !count && len(n.Args) > 0:
		args.values, args.pairs = n.Args[0], n.Args[1:]
	case !many && !count && len(n.Args) == 3:
		args.values, args.pairs = n.Args[2], n.Args[:2]
	}
	if len(args.pairs) == 0 || len(args.pairs)%2 != 0 || !many && len(args.pairs) != 2 {
		return args, refuse(n.Name, "wrong number of arguments")
	}
	return args, nil
}

// part is a range of a call: the area that is written, and the values of its used part.
type part struct {
	area  *area
	block [][]Value
}

// at returns a value; beyond the used part of a whole column all cells are blank.
func (p part) at(row, col int) Value {
	if row >= len(p.block) || col >= len(p.block[row]) {
		return Value{}
	}
	return p.block[row][col]
}

func (e *evaluator) testRange(n *formula.Call, arg formula.Node) (part, error) {
	o, err := e.node(arg, false)
	if err != nil {
		return part{}, err
	}
	if o.ref == nil {
		return part{}, refuse(n.Name, "an argument must be a range")
	}
	block, err := e.block(o.ref)
	return part{o.ref, block}, err
}

func (e *evaluator) addTest(c *conditional, n *formula.Call, area, crit formula.Node) (failed Value, err error) {
	test, err := e.testRange(n, area)
	if err != nil {
		return failed, err
	}
	v, err := e.value(crit)
	if err != nil {
		return failed, err
	}
	if v.kind == KindBlank || v.kind == KindError {
		return failed, refuse(n.Name, "the criterion is a blank cell or an error")
	}
	parsed, err := parseCriterion(v)
	if err != nil {
		return failed, err
	}
	if test.area.whole() && parsed.blank() {
		return failed, refuse(n.Name, "the criterion counts the unused part of a column")
	}
	c.tests, c.crits = append(c.tests, test), append(c.crits, parsed)
	return failed, nil
}

func (c *conditional) sameSize() bool {
	for _, t := range c.tests {
		if t.area.rows() != c.values.area.rows() || t.area.cols() != c.values.area.cols() {
			return false
		}
	}
	return true
}

func (c *conditional) holdsTruth() bool {
	for _, p := range append(c.tests[:len(c.tests):len(c.tests)], c.values) {
		if slices.ContainsFunc(slices.Concat(p.block...), func(v Value) bool { return v.kind == KindBool }) {
			return true
		}
	}
	return false
}

func (c *conditional) matches(row, col int) (bool, error) {
	for i, crit := range c.crits {
		ok, err := crit.match(c.tests[i].at(row, col))
		if err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// size returns the rows and columns that some range uses.
func (c *conditional) size() (rows, cols int) {
	for _, p := range append(c.tests, c.values) {
		rows, cols = max(rows, len(p.block)), max(cols, len(p.block[0]))
	}
	return rows, cols
}

func (c *conditional) aggregate(name string) (Value, error) {
	matched := 0
	var numbers []float64
	rows, cols := c.size()
	for i := range rows {
		for j := range cols {
			ok, err := c.matches(i, j)
			if err != nil {
				return Value{}, err
			}
			if !ok {
				continue
			}
			matched++
			v := c.values.at(i, j)
			if v.kind == KindError && !strings.HasPrefix(name, "COUNT") {
				return v, nil
			}
			if v.kind == KindNumber {
				numbers = append(numbers, v.num)
			}
		}
	}
	return summarize(name, matched, numbers), nil
}

func summarize(name string, matched int, numbers []float64) Value {
	sum, least, most := 0.0, 0.0, 0.0
	for i, f := range numbers {
		sum += f
		if i == 0 {
			least, most = f, f
		}
		least, most = min(least, f), max(most, f)
	}
	switch name {
	case "COUNTIF", "COUNTIFS":
		return Number(float64(matched))
	case "MAXIFS":
		return Number(most)
	case "MINIFS":
		return Number(least)
	case "AVERAGEIF", "AVERAGEIFS":
		if len(numbers) == 0 {
			return Error(ErrCodeDiv)
		}
		return Number(sum / float64(len(numbers)))
	default:
		return Number(sum)
	}
}
