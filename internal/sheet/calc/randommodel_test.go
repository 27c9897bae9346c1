package calc

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"winnow/internal/sheet/formula"
	"winnow/internal/sheet/xlsx"
)

// Random models: constants stand in columns A to C of both sheets, formulas in D to F read them and what stands above or to the
// left, so that most of them are not circular.

const (
	modelRows      = 7
	constantCols   = 3
	formulaCols    = 3
	modelCols      = constantCols + formulaCols
	farRow, farCol = 40, 12
)

func randomModel(r *rand.Rand) *model {
	m := &model{cells: map[spot]string{}, names: map[nameSpot]string{}, shared: r.IntN(2) == 0}
	for sheet := range modelSheets {
		for row := 1; row <= modelRows; row++ {
			for col := 1; col <= constantCols; col++ {
				if r.IntN(3) > 0 {
					m.cells[spot{sheet, row, col}] = randomConstant(r)
				}
			}
		}
	}
	for _, at := range randomNames {
		if r.IntN(3) > 0 {
			m.names[at] = randomDefinition(r, at.name)
		}
	}
	for sheet := range modelSheets {
		for col := constantCols + 1; col <= modelCols; col++ {
			g := &generator{Rand: r, col: col}
			for g.row = 1; g.row <= modelRows; g.row++ {
				m.addFormula(g, spot{sheet, g.row, col})
			}
		}
	}
	return m
}

// addFormula writes a formula, or goes on with the one above as filling down does.
func (m *model) addFormula(g *generator, at spot) {
	if above, ok := strings.CutPrefix(m.cells[spot{at.sheet, at.row - 1, at.col}], "="); ok && g.IntN(2) == 0 {
		if f, err := formula.Parse(above); err == nil {
			m.cells[at] = "=" + f.Shift(1, 0).String()
			return
		}
	}
	if g.IntN(4) > 0 {
		m.cells[at] = "=" + g.scalar(2)
	}
}

func randomConstant(r *rand.Rand) string {
	switch n := r.IntN(40); {
	case n < 25:
		return fmt.Sprint(r.IntN(5))
	case n < 33:
		return pick(r, `"a"`, `"b"`, `"ab"`)
	case n < 37:
		return "blank"
	case n < 39:
		return pick(r, "TRUE", "FALSE")
	default:
		return pick(r, "#N/A", "#DIV/0!")
	}
}

// randomNames may be defined; the same name may be that of the workbook and of a sheet.
var randomNames = []nameSpot{{-1, "NUM"}, {0, "NUM"}, {1, "NUM"}, {-1, "CEL"}, {0, "CEL"}, {-1, "ARE"}, {1, "ARE"}, {-1, "COL"}}

func randomDefinition(r *rand.Rand, name string) string {
	sheet := pick(r, modelSheets...)
	switch name {
	case "NUM":
		return fmt.Sprint(1 + r.IntN(4))
	case "CEL":
		return fmt.Sprintf("%s!$%s$%d", sheet, pick(r, "A", "B"), 1+r.IntN(modelRows))
	case "ARE":
		return fmt.Sprintf("%s!$A$%d:$B$%d", sheet, 1+r.IntN(3), 4+r.IntN(3))
	default:
		return fmt.Sprintf("%s!$%s:$C", sheet, pick(r, "A", "B"))
	}
}

// generator writes formulas for one cell.
type generator struct {
	*rand.Rand
	row, col int
}

// prefix is mostly empty: the sheet of the formula.
func (g *generator) prefix() string { return pick(g.Rand, "", "", "", "One!", "Two!") }

func (g *generator) cell() string {
	if g.IntN(3) == 0 && g.row > 1 {
		return xlsx.CellName(1+g.IntN(g.row-1), constantCols+1+g.IntN(g.col-constantCols)) // a formula above, perhaps to the left
	}
	return g.prefix() + xlsx.CellName(1+g.IntN(modelRows+1), 1+g.IntN(constantCols))
}

func (g *generator) area() string {
	switch g.IntN(8) {
	case 0:
		return g.prefix() + pick(g.Rand, "A:A", "B:B", "A:C", "B:C")
	case 1:
		return pick(g.Rand, "ARE", "COL", "One!ARE", "Two!ARE")
	case 2:
		if g.row > 2 {
			column := strings.TrimRight(xlsx.CellName(1, g.col), "1")
			return fmt.Sprintf("%s%d:%s%d", column, 1+g.IntN(g.row-1), column, g.row-1)
		}
	}
	row, col := 1+g.IntN(modelRows), 1+g.IntN(constantCols)
	return g.prefix() + xlsx.CellName(row, col) + ":" + xlsx.CellName(row+1+g.IntN(3), min(constantCols, col+g.IntN(2)))
}

// column is an area of one column and of a fixed length, for pairs of areas.
func (g *generator) column(rows int) string {
	if rows == 0 {
		return g.prefix() + pick(g.Rand, "A:A", "B:B", "C:C")
	}
	row, col := 1+g.IntN(3), 1+g.IntN(constantCols)
	return g.prefix() + xlsx.CellName(row, col) + ":" + xlsx.CellName(row+rows-1, col)
}

func (g *generator) criterion() string { return pick(g.Rand, `">1"`, `"<3"`, "2", `"a"`, `"a*"`, "1") }

func (g *generator) condition(depth int) string {
	switch g.IntN(6) {
	case 0:
		return "ISBLANK(" + g.cell() + ")"
	case 1:
		return "AND(" + g.condition(0) + "," + g.cell() + "<3)"
	case 2:
		return "ISTEXT(" + g.scalar(depth-1) + ")"
	default:
		return g.scalar(depth-1) + pick(g.Rand, ">", "<", "=", "<>") + fmt.Sprint(g.IntN(4))
	}
}

// scalar writes an expression with one value.
func (g *generator) scalar(depth int) string {
	if depth <= 0 {
		return pick(g.Rand, g.cell(), g.cell(), g.cell(), fmt.Sprint(g.IntN(5)), "NUM", "CEL", "Two!NUM")
	}
	next := func() string { return g.scalar(depth - 1) }
	rows := pick(g.Rand, "0", "2", "4")
	n := int(rows[0] - '0')
	switch g.IntN(22) {
	case 0, 1, 2, 3:
		return "IF(" + g.condition(depth) + "," + next() + "," + next() + ")"
	case 4:
		return "IFERROR(" + next() + "," + next() + ")"
	case 5:
		return "CHOOSE(" + g.cell() + "," + next() + "," + next() + "," + next() + ")"
	case 6:
		return "SWITCH(" + g.cell() + ",1," + next() + ",2," + next() + "," + next() + ")"
	case 7:
		return "IFS(" + g.condition(0) + "," + next() + ",TRUE," + next() + ")"
	case 8, 9, 10:
		return pick(g.Rand, "SUM", "MAX", "COUNT", "COUNTA") + "(" + g.area() + ")"
	case 11:
		return "SUM(" + g.area() + "," + g.area() + "," + next() + ")"
	case 12:
		return "IFERROR(VLOOKUP(" + g.cell() + "," + g.prefix() + pick(g.Rand, "A:B", "A1:C6", "B:C") + ",2,FALSE)," + next() + ")"
	case 13:
		return "IFNA(MATCH(" + g.cell() + "," + g.column(n) + ",0)," + next() + ")"
	case 14:
		return "INDEX(" + g.prefix() + "A1:C4," + fmt.Sprint(1+g.IntN(4)) + "," + pick(g.Rand, "1", "2", g.cell()) + ")"
	case 15:
		return "SUM(INDEX(" + g.prefix() + pick(g.Rand, "A:C", "A1:C5") + ",0," + fmt.Sprint(1+g.IntN(3)) + "))"
	case 16:
		return pick(g.Rand, "SUMIF", "AVERAGEIF") + "(" + g.column(n) + "," + g.criterion() + "," + g.column(n) + ")"
	case 17:
		return "COUNTIFS(" + g.column(n) + "," + g.criterion() + "," + g.column(n) + "," + g.criterion() + ")"
	case 18:
		return "COUNTBLANK(" + g.column(3) + ")+ROWS(" + g.area() + ")"
	case 19:
		return g.cell() + "&" + g.cell()
	default:
		return next() + pick(g.Rand, "+", "*", "-") + next()
	}
}

func randomTarget(r *rand.Rand, m *model) spot {
	var formulas []spot
	for _, at := range m.spots() {
		if strings.HasPrefix(m.cells[at], "=") {
			formulas = append(formulas, at)
		}
	}
	if len(formulas) == 0 {
		return spot{0, 1, 1}
	}
	return formulas[r.IntN(len(formulas))]
}

func randomSpot(r *rand.Rand) spot {
	if r.IntN(10) == 0 {
		return spot{r.IntN(2), 1 + r.IntN(farRow), 1 + r.IntN(farCol)}
	}
	return spot{r.IntN(2), 1 + r.IntN(modelRows), 1 + r.IntN(modelCols)}
}

func randomSets(r *rand.Rand, m *model) map[spot]Value {
	sets := map[spot]Value{}
	for range r.IntN(4) {
		if at := randomSpot(r); at.col <= constantCols || m.cells[at] != "" {
			sets[at] = []Value{Number(3), Number(0), Text("a"), Blank()}[r.IntN(4)]
		}
	}
	return sets
}

// randomChange proposes other contents for few or for all cells and names; a trial leaves out what was read.
func randomChange(r *rand.Rand, m *model) change {
	c := change{map[spot]string{}, map[nameSpot]string{}}
	oneIn := []int{1, 1, 2, 5}[r.IntN(4)]
	add := func(at spot) {
		if r.IntN(oneIn) == 0 {
			c.cells[at] = randomContent(r, m.cells[at])
		}
	}
	for sheet := range modelSheets {
		for row := 1; row <= modelRows+2; row++ {
			for col := 1; col <= modelCols+1; col++ {
				add(spot{sheet, row, col})
			}
		}
	}
	for range 6 {
		add(spot{r.IntN(2), 1 + r.IntN(farRow), 1 + r.IntN(farCol)})
	}
	for _, at := range randomNames {
		if r.IntN(oneIn) == 0 {
			c.names[at] = pick(r, "", "99", "One!$C$7", "Two!$A$1:$C$7", "One!A1")
		}
	}
	return c
}

// randomContent differs from the old content.
func randomContent(r *rand.Rand, old string) string {
	for {
		next := pick(r, "", "blank", fmt.Sprint(100+r.IntN(900)), `"changed"`, "TRUE", "#REF!", "=1/0", "=D1+1", "=SUM(A1:C7)", "=NOSUCH(1)", "{=A1:A3*2}", "=A1+1000")
		if next != old {
			return next
		}
	}
}
