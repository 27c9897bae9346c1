package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if benchDir != "" {
		os.RemoveAll(benchDir)
	}
	os.Exit(code)
}

// parts is the content of a workbook file, by part name.
type parts map[string]string

const (
	nsMain = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	nsRel  = `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	relURL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	relsNS = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`
)

// complete adds the parts that every workbook needs, with one sheet named
// SheetN for every part xl/worksheets/sheetN.xml.
func (p parts) complete() parts {
	out := parts{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels": `<Relationships ` + relsNS + `><Relationship Id="rId1" Type="` + relURL + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	}
	var sheets, rels strings.Builder
	for _, name := range p.names() {
		n, found := strings.CutPrefix(name, "xl/worksheets/sheet")
		if n = strings.TrimSuffix(n, ".xml"); found && !strings.Contains(n, "/") {
			fmt.Fprintf(&sheets, `<sheet name="Sheet%s" sheetId="%s" r:id="s%s"/>`, n, n, n)
			fmt.Fprintf(&rels, `<Relationship Id="s%s" Type="%sworksheet" Target="worksheets/sheet%s.xml"/>`, n, relURL, n)
		}
		if name == "xl/sharedStrings.xml" {
			fmt.Fprintf(&rels, `<Relationship Id="sst" Type="%ssharedStrings" Target="sharedStrings.xml"/>`, relURL)
		}
	}
	out["xl/workbook.xml"] = `<workbook ` + nsMain + " " + nsRel + `><sheets>` + sheets.String() + `</sheets></workbook>`
	out["xl/_rels/workbook.xml.rels"] = `<Relationships ` + relsNS + `>` + rels.String() + `</Relationships>`
	for name, text := range p {
		out[name] = text
	}
	return out
}

func (p parts) names() []string {
	var names []string
	for name := range p {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// zip packs the parts as they are, in the order of their names.
func (p parts) zip(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range p.names() {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(p[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// oneSheet returns a workbook whose only sheet has the given rows.
func oneSheet(rows string) parts {
	return parts{"xl/worksheets/sheet1.xml": `<worksheet ` + nsMain + `><sheetData>` + rows + `</sheetData></worksheet>`}.complete()
}

func readBytes(b []byte, lim Limits) (*Workbook, error) {
	return Read(bytes.NewReader(b), int64(len(b)), lim)
}

func mustRead(t testing.TB, p parts) *Workbook {
	t.Helper()
	w, err := readBytes(p.zip(t), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// dump prints everything a workbook says but digests, in the printed forms.
func dump(w *Workbook) string {
	var b strings.Builder
	for _, f := range []struct {
		name string
		set  bool
	}{{"date1904", w.Date1904}, {"protected", w.Protected}, {"macros", w.HasMacros}} {
		if f.set {
			fmt.Fprintln(&b, f.name)
		}
	}
	if w.Calc != (Calc{IterateCount: 100}) {
		fmt.Fprintf(&b, "calc %+v\n", w.Calc)
	}
	for i, e := range w.External {
		fmt.Fprintf(&b, "external [%d] %s\n", i+1, e)
	}
	for _, n := range w.Names {
		fmt.Fprintf(&b, "name %v hidden=%v macro=%v\n", n, n.Hidden, n.Macro)
	}
	for _, s := range w.Sheets {
		dumpSheet(&b, s)
	}
	for _, t := range w.Tables {
		fmt.Fprintf(&b, "table %q on #%d %v header=%d totals=%d\n", t.Name, t.Sheet, t.Ref, t.HeaderRows, t.TotalsRows)
		for _, c := range t.Columns {
			fmt.Fprintf(&b, "  column %q =%s totals =%s\n", c.Name, c.Calculated, c.Totals)
		}
	}
	return b.String()
}

func dumpSheet(b *strings.Builder, s *Sheet) {
	fmt.Fprintf(b, "sheet %q state=%d kind=%d protected=%v hideothers=%v transition=%v\n", s.Name, s.State, s.Kind, s.Protected, s.HideOthers, s.Transition)
	for _, c := range s.All() {
		flags := ""
		if c.AlwaysCalc {
			flags += " always"
		}
		if c.CellMeta {
			flags += " cm"
		}
		if c.ValueMeta {
			flags += " vm"
		}
		fmt.Fprintf(b, "  %v%s\n", c, flags)
	}
	for i, g := range s.Groups {
		fmt.Fprintf(b, "  group %d %v si=%d at %s over %v", i, g.Kind, g.Index, CellName(g.Row, g.Col), g.Ref)
		if g.Kind == DataTableGroup {
			fmt.Fprintf(b, " two=%v byrow=%v %s %s", g.TwoInputs, g.RowInput, g.Input1, g.Input2)
		}
		fmt.Fprintln(b)
	}
	for _, m := range s.Merged {
		fmt.Fprintf(b, "  merged %v\n", m)
	}
	if len(s.HiddenRows) > 0 {
		fmt.Fprintf(b, "  hidden rows %v\n", s.HiddenRows)
	}
}
