package formula

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var (
	agreeRuns = flag.Int("agree.runs", 20000, "random formulas to compare both paths on")
	agreeSeed = flag.Uint64("agree.seed", 1, "seed of the first random formula")
)

// disagreement says what is wrong with the way a text is handled, or "". It is
// what the random tests and the fuzz targets check.
func disagreement(src string, at Cell, d Offset) string {
	f, err := Parse(src)
	stream, streamErr := streamed(src, at, d)
	if (err == nil) != (streamErr == nil) {
		return fmt.Sprintf("Parse: %v, streamed: %v", err, streamErr)
	}
	if err != nil {
		if f != nil || stream != nil {
			return "a result beside an error"
		}
		return ""
	}
	shifted := f.Shift(d.Rows, d.Cols)
	if want := description(shifted, at); !slices.Equal(stream, want) {
		return fmt.Sprintf("streamed %q, from the tree %q", stream, want)
	}
	for _, f := range []*Formula{f, shifted} {
		if s := printTrouble(f, at); s != "" {
			return s
		}
	}
	return ""
}

// printTrouble checks that the printed form is read as the same formula.
func printTrouble(f *Formula, at Cell) string {
	text := f.String()
	again, err := Parse(text)
	if err != nil {
		return fmt.Sprintf("printed as %q: %v", text, err)
	}
	if again.String() != text {
		return fmt.Sprintf("printed as %q and then as %q", text, again)
	}
	if a, b := tree(f.Root), tree(again.Root); a != b {
		return fmt.Sprintf("tree %s, after printing %s", a, b)
	}
	if a, b := f.Normal(at), again.Normal(at); a != b {
		return fmt.Sprintf("normal form %q, after printing %q", a, b)
	}
	return ""
}

// shrink makes a failing text shorter while it still fails.
func shrink(src string, fails func(string) bool) string {
	for n := len(src) / 2; n > 0; n /= 2 {
		for i := 0; i+n <= len(src); {
			if shorter := src[:i] + src[i+n:]; fails(shorter) {
				src = shorter
			} else {
				i++
			}
		}
	}
	return src
}

func TestAgree(t *testing.T) {
	valid := 0
	for i := 0; i < *agreeRuns; i++ {
		seed := *agreeSeed + uint64(i)
		g := newGenerator(seed)
		src := g.formula()
		at := Cell{Sheet: g.pick("Sheet1", "", "It's"), Row: 1 + g.rnd.IntN(50), Col: 1 + g.rnd.IntN(50)}
		d := Offset{g.rnd.IntN(9) - 4, g.rnd.IntN(9) - 4}
		if _, err := Parse(src); err == nil {
			valid++
		}
		if disagreement(src, at, d) == "" {
			continue
		}
		short := shrink(src, func(s string) bool { return disagreement(s, at, d) != "" })
		t.Fatalf("%q (from %q) at %v shifted %v: %s\nrepeat with -run TestAgree -agree.seed=%d -agree.runs=1",
			short, src, at, d, disagreement(short, at, d), seed)
	}
	t.Logf("%d formulas, %d of them valid", *agreeRuns, valid)
	if valid < *agreeRuns/2 {
		t.Errorf("only %d of %d random formulas are valid", valid, *agreeRuns)
	}
}

// TestEqualNormalForms checks on random short formulas in random cells that
// equal normal forms come with equal skeletons and equal references relative to
// the cell, and that formulas which depend on their place differ elsewhere.
func TestEqualNormalForms(t *testing.T) {
	first := map[string]string{}
	text := map[string]string{}
	equal := 0
	for i := 0; i < *agreeRuns; i++ {
		seed := *agreeSeed + uint64(i)
		g := newGenerator(seed)
		g.expr(g.rnd.IntN(2))
		src := g.out.String()
		at := Cell{Sheet: g.pick("Sheet1", "Sheet2"), Row: 1 + g.rnd.IntN(7), Col: 1 + g.rnd.IntN(3)}
		f, err := Parse(src)
		if err != nil {
			continue
		}
		normal, facts := f.Normal(at), relativeFacts(f, at)
		here := fmt.Sprintf("%q at %v (seed %d)", src, at, seed)
		if old, ok := first[normal]; !ok {
			first[normal], text[normal] = facts, here
		} else if old != facts {
			t.Fatalf("normal form %s: %s has %s, %s has %s", normal, text[normal], old, here, facts)
		} else {
			equal++
		}
	}
	t.Logf("%d normal forms, met again %d times", len(first), equal)
	if equal < *agreeRuns/20 {
		t.Errorf("only %d equal normal forms", equal)
	}
}

// relativeFacts describes what a formula reads seen from its cell.
func relativeFacts(f *Formula, at Cell) string {
	skeleton, _, _ := strings.Cut(f.Skeleton(at), "@'")
	facts := []string{skeleton}
	for _, r := range f.Refs(at.Sheet) {
		facts = append(facts, r.Kind.String(), r.Book, upperString(r.Sheet), upperString(r.Last), upperString(r.Name))
		if r.Name == "" {
			facts = append(facts, fmt.Sprint(r.Row1-at.Row, r.Col1-at.Col, r.Row2-at.Row, r.Col2-at.Col))
		}
	}
	Walk(f.Root, func(n Node) bool {
		if c, ok := n.(*Call); ok {
			facts = append(facts, placeFacts(c, at))
		}
		return true
	})
	return strings.Join(facts, "; ")
}

// placeFacts is what the value of a call takes from the place of its formula.
func placeFacts(c *Call, at Cell) string {
	switch {
	case c.Prefix != (Prefix{}), c.Name == "INDIRECT", !isKnown(c.Name):
		return fmt.Sprint("cell ", at)
	case c.Name == "ROW":
		return fmt.Sprint("row ", at.Row)
	}
	return ""
}

// generator makes random formulas, some of them damaged.
type generator struct {
	rnd *rand.Rand
	out strings.Builder
}

func newGenerator(seed uint64) *generator {
	return &generator{rnd: rand.New(rand.NewPCG(seed, 0))}
}

func (g *generator) pick(ss ...string) string { return ss[g.rnd.IntN(len(ss))] }

func (g *generator) formula() string {
	g.out.Reset()
	g.expr(1 + g.rnd.IntN(4))
	s := g.out.String()
	if g.rnd.IntN(4) > 0 || len(s) == 0 {
		return s
	}
	i := g.rnd.IntN(len(s))
	switch g.rnd.IntN(3) {
	case 0:
		return s[:i] + s[i+1:]
	case 1:
		return s[:i] + g.pick("(", ")", ",", " ", ":", "!", "#", "'", "$", "[", "]", "{", "%", "1", "A") + s[i:]
	default:
		return s[:i] + s[min(len(s), i+g.rnd.IntN(5)):]
	}
}

func (g *generator) put(s string) {
	g.blank()
	g.out.WriteString(s)
}

func (g *generator) blank() {
	if g.rnd.IntN(12) == 0 {
		g.out.WriteString(g.pick(" ", "  ", "\n"))
	}
}

func (g *generator) expr(depth int) {
	if depth == 0 {
		g.leaf()
		return
	}
	switch g.rnd.IntN(9) {
	case 0, 1:
		g.expr(depth - 1)
		g.put(g.pick("+", "-", "*", "/", "^", "&", "=", "<>", "<", "<=", ">", ">="))
		g.expr(depth - 1)
	case 2:
		g.put(g.pick("-", "+", "@", "--"))
		g.expr(depth - 1)
	case 3:
		g.reference()
		g.out.WriteString(g.pick("%", "#", "%%", "#"))
	case 4:
		g.put("(")
		g.expr(depth - 1)
		g.put(")")
	case 5:
		g.reference()
		g.out.WriteString(g.pick(":", " ", ",", " : ", ":"))
		g.reference()
	default:
		g.call(depth)
	}
}

func (g *generator) call(depth int) {
	g.put(g.pick("SUM(", "if(", "INDEX(", "_xlfn.IFS(", "ROW(", "LOG10(", "MyFunc(", "INDIRECT(", "[1]!f(", "SUM (", "SUMIF(", "CHOOSE("))
	for n := g.rnd.IntN(4); n > 0; n-- {
		if g.rnd.IntN(8) > 0 {
			g.expr(depth - 1)
		}
		if n > 1 {
			g.put(",")
		}
	}
	g.put(")")
	if g.rnd.IntN(20) == 0 {
		g.out.WriteString("(1)")
	}
}

func (g *generator) leaf() {
	switch g.rnd.IntN(6) {
	case 0:
		g.put(g.pick("1", "2.5", "0", ".5", "1e5", "3E-2"))
	case 1:
		g.put(g.pick(`"a"`, `""`, `"x ""y"" $A$1"`, "TRUE", "false", "#N/A", "{1,2;3,-4}", `{"a"}`, "#REF!"))
	default:
		g.reference()
	}
}

func (g *generator) reference() {
	g.blank()
	if g.rnd.IntN(3) == 0 {
		g.out.WriteString(g.pick("Sheet1!", "SHEET1!", "Sheet2!", "'It''s'!", "Jan:Mar!", "'A1'!", "A!", "[1]Data!", "[1]!", "'[b.xlsx]S 1'!", "2019!", "#REF!"))
	}
	switch g.rnd.IntN(8) {
	case 0:
		g.out.WriteString(g.pick("Rate", "x.y", "_n", "A", "TAX", "größe", "XFE1", "A0", "R", "sum"))
	case 1:
		g.out.WriteString(g.pick("A:A", "$B:c", "1:3", "$2:$2", "A1:A1048576", "A1:XFD3", "B : C"))
	case 2:
		g.out.WriteString(g.pick("Tab[a]", "Tab[[#This Row],[b]]", "[@c]", "Tab[]"))
	case 3, 4:
		g.corner()
		g.out.WriteString(g.pick(":", ":", " :", ": "))
		g.corner()
	default:
		g.corner()
	}
}

func (g *generator) corner() {
	g.out.WriteString(g.pick("", "$") + g.pick("A", "B", "c", "AA", "XFD"))
	g.out.WriteString(g.pick("", "$") + g.pick("1", "2", "7", "50", "1048576"))
}
