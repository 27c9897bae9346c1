package calc

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"winnow/internal/sheet/formula"
	"winnow/internal/sheet/xlsx"
)

// model is a workbook that tests can change cell by cell. Its cells hold what they mean: the formula of a dependent of a shared
// formula is written out, and put into a group when the model is stored.
//
// Printed form, one line per cell or name: One!B2 := =SUM(A1:A3), One!C1 := blank, Two!Rate = 0.5
type model struct {
	cells  map[spot]string // =formula, or a Value in printed form; "blank" is a cell that the file has, without a value
	names  map[nameSpot]string
	shared bool   // store columns of like formulas as shared formulas
	rows   string // markup of the first sheet, in place of cells
}

var modelSheets = []string{"One", "Two"}

// spot is a cell of a model.
type spot struct{ sheet, row, col int }

func (s spot) String() string { return modelSheets[s.sheet] + "!" + xlsx.CellName(s.row, s.col) }

func bySpot(a, b spot) int { return 3*sign(a.sheet-b.sheet) + 2*sign(a.row-b.row) + sign(a.col-b.col) }

func sign(n int) int { return min(1, max(-1, n)) }

// nameSpot is a defined name; sheet -1 is the workbook.
type nameSpot struct {
	sheet int
	name  string
}

func (n nameSpot) String() string {
	if n.sheet < 0 {
		return n.name
	}
	return modelSheets[n.sheet] + "!" + n.name
}

func (m *model) clone() *model {
	return &model{cells: maps.Clone(m.cells), names: maps.Clone(m.names), shared: m.shared}
}

func (m *model) spots() []spot { return slices.SortedFunc(maps.Keys(m.cells), bySpot) }

func (m *model) nameSpots() []nameSpot {
	return slices.SortedFunc(maps.Keys(m.names), func(a, b nameSpot) int { return strings.Compare(a.String(), b.String()) })
}

func (m *model) String() string {
	var lines []string
	for _, at := range m.spots() {
		lines = append(lines, at.String()+" := "+m.cells[at])
	}
	for _, at := range m.nameSpots() {
		lines = append(lines, at.String()+" = "+m.names[at])
	}
	return strings.Join(lines, "\n")
}

// workbook stores the model and reads it.
func (m *model) workbook(t testing.TB) *xlsx.Workbook {
	t.Helper()
	parts := map[string]string{
		"[Content_Types].xml":        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels":                relations("officeDocument", "xl/workbook.xml"),
		"xl/_rels/workbook.xml.rels": relations("worksheet", "worksheets/sheet1.xml", "worksheets/sheet2.xml"),
		"xl/workbook.xml":            m.workbookPart(),
	}
	for i := range modelSheets {
		parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)] = m.sheetPart(i)
	}
	var buf bytes.Buffer
	out := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		w, err := out.CreateHeader(&zip.FileHeader{Name: name})
		if err == nil {
			_, err = w.Write([]byte(parts[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return readWorkbook(t, buf.Bytes())
}

const officeSpace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

func relations(kind string, targets ...string) string {
	var s strings.Builder
	s.WriteString(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i, target := range targets {
		fmt.Fprintf(&s, `<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>`, i+1, officeSpace, kind, target)
	}
	return s.String() + `</Relationships>`
}

const mainSpace = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`

func (m *model) workbookPart() string {
	var s strings.Builder
	fmt.Fprintf(&s, `<workbook %s xmlns:r="%s"><sheets>`, mainSpace, officeSpace)
	for i, name := range modelSheets {
		fmt.Fprintf(&s, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, name, i+1, i+1)
	}
	s.WriteString(`</sheets><definedNames>`)
	for _, at := range m.nameSpots() {
		local := ""
		if at.sheet >= 0 {
			local = fmt.Sprintf(` localSheetId="%d"`, at.sheet)
		}
		fmt.Fprintf(&s, `<definedName name="%s"%s>%s</definedName>`, at.name, local, escape(m.names[at]))
	}
	return s.String() + `</definedNames></workbook>`
}

func escape(text string) string {
	var buf bytes.Buffer
	if err := xml.EscapeText(&buf, []byte(text)); err != nil {
		panic(err) // a bytes.Buffer does not fail
	}
	return buf.String()
}

func (m *model) sheetPart(sheet int) string {
	if sheet == 0 && m.rows != "" {
		return `<worksheet ` + mainSpace + `><sheetData>` + m.rows + `</sheetData></worksheet>`
	}
	groups := map[spot]string{}
	if m.shared {
		groups = m.groups(sheet)
	}
	var s strings.Builder
	s.WriteString(`<worksheet ` + mainSpace + `><sheetData>`)
	row := 0
	for _, at := range m.spots() {
		if at.sheet != sheet {
			continue
		}
		if at.row != row {
			if row > 0 {
				s.WriteString(`</row>`)
			}
			row = at.row
			fmt.Fprintf(&s, `<row r="%d">`, row)
		}
		s.WriteString(cellPart(at, m.cells[at], groups[at]))
	}
	if row > 0 {
		s.WriteString(`</row>`)
	}
	return s.String() + `</sheetData></worksheet>`
}

// cellPart stores a cell; group replaces the element of its formula.
func cellPart(at spot, content, group string) string {
	name := xlsx.CellName(at.row, at.col)
	if text, ok := strings.CutPrefix(content, "="); ok {
		if group == "" {
			group = `<f>` + escape(text) + `</f>`
		}
		return fmt.Sprintf(`<c r="%s">%s<v>12345</v></c>`, name, group) // the value is a lie that nobody may believe
	}
	if text, ok := strings.CutPrefix(content, "{="); ok {
		return fmt.Sprintf(`<c r="%s"><f t="array" ref="%s">%s</f><v>12345</v></c>`, name, name, escape(strings.TrimSuffix(text, "}")))
	}
	v, err := parseValue(content)
	if err != nil {
		panic(err) // a fault of the test itself
	}
	switch v.kind {
	case KindNumber:
		return fmt.Sprintf(`<c r="%s"><v>%v</v></c>`, name, v)
	case KindText:
		return fmt.Sprintf(`<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, name, escape(v.str))
	case KindBool:
		return fmt.Sprintf(`<c r="%s" t="b"><v>%v</v></c>`, name, v.num)
	case KindError:
		return fmt.Sprintf(`<c r="%s" t="e"><v>%s</v></c>`, name, v.str)
	default:
		return fmt.Sprintf(`<c r="%s" s="0"/>`, name)
	}
}

// groups finds cells whose formula is that of the cell above, moved, and returns the formula elements of shared groups.
func (m *model) groups(sheet int) map[spot]string {
	elements := map[spot]string{}
	number := 0
	for _, head := range m.spots() {
		text, isFormula := strings.CutPrefix(m.cells[head], "=")
		if head.sheet != sheet || !isFormula || elements[head] != "" {
			continue
		}
		f, err := formula.Parse(text)
		if err != nil {
			continue
		}
		last := head
		for next := last; m.cells[next] == "="+f.Shift(next.row-head.row, 0).String(); next.row++ {
			last = next
		}
		if last == head {
			continue
		}
		for at := head; at.row <= last.row; at.row++ {
			elements[at] = fmt.Sprintf(`<f t="shared" si="%d"/>`, number)
		}
		elements[head] = fmt.Sprintf(`<f t="shared" si="%d" ref="%s:%s">%s</f>`, number, xlsx.CellName(head.row, head.col), xlsx.CellName(last.row, last.col), escape(text))
		number++
	}
	return elements
}
