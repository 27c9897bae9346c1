package xlsx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fuzzLimits keep one run small.
var fuzzLimits = Limits{FileBytes: 1 << 20, PartBytes: 1 << 20, TotalBytes: 4 << 20, Cells: 20_000, Strings: 20_000, Sheets: 50, Entries: 200}

// encode writes the cells that were read in the plainest form. Reading it must
// give the same cells again.
func encode(w *Workbook) parts {
	p := parts{}
	for i, s := range w.Sheets {
		if s.Kind == Worksheet {
			p[fmt.Sprintf("xl/worksheets/sheet%04d.xml", i)] = encodeSheet(s)
		}
	}
	return p.complete()
}

func encodeSheet(s *Sheet) string {
	var b strings.Builder
	b.WriteString(`<worksheet ` + nsMain + `><sheetData>`)
	for _, c := range s.All() {
		fmt.Fprintf(&b, `<row r="%d"><c r="%s" t="%s"`, c.Row, c.Name(), kindTypes[c.Kind])
		if c.CellMeta {
			b.WriteString(` cm="1"`)
		}
		if c.ValueMeta {
			b.WriteString(` vm="1"`)
		}
		b.WriteString(">" + encodeFormula(s, c) + encodeValue(c) + "</c></row>")
	}
	b.WriteString(`</sheetData></worksheet>`)
	return b.String()
}

var kindTypes = [...]string{Blank: "n", Number: "n", Bool: "b", Text: "inlineStr", ErrorValue: "e", Date: "d"}

func encodeValue(c Cell) string {
	switch c.Kind {
	case Blank:
		return ""
	case Text:
		return "<is><t>" + escapeText(strings.ReplaceAll(c.Value, "_x", "_x005F_x")) + "</t></is>"
	}
	return "<v>" + escapeText(c.Value) + "</v>"
}

func encodeFormula(s *Sheet, c Cell) string {
	always := ""
	if c.AlwaysCalc {
		always = ` ca="1"`
	}
	text := always + ">" + escapeText(c.Formula) + "</f>"
	switch c.FormulaKind {
	case NoFormula, Member:
		if c.AlwaysCalc {
			return "<f ca='1'/>"
		}
		return ""
	case Normal:
		return "<f" + text
	}
	g := s.Groups[c.Group]
	switch c.FormulaKind {
	case SharedMaster:
		return fmt.Sprintf(`<f t="shared" si="%d" ref="%v"%s`, g.Index, g.Ref, text)
	case SharedDependent:
		return fmt.Sprintf(`<f t="shared" si="%d"%s`, g.Index, text)
	case Array:
		return fmt.Sprintf(`<f t="array" ref="%v"%s`, g.Ref, text)
	}
	return fmt.Sprintf(`<f t="dataTable" ref="%v" dt2D="%v" dtr="%v" r1="%s" r2="%s"%s`, g.Ref, g.TwoInputs, g.RowInput,
		escapeAttr(g.Input1), escapeAttr(g.Input2), text)
}

// escapeText writes what XML cannot hold as _xHHHH_, which only string items
// can contain.
func escapeText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '\r':
			b.WriteString("&#13;")
		case r < ' ' && r != '\n' && r != '\t':
			fmt.Fprintf(&b, "_x%04X_", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func escapeAttr(s string) string {
	return strings.NewReplacer("\n", "&#10;", "\t", "&#9;", `"`, "&quot;").Replace(escapeText(s))
}

// checkRead is the property of both fuzz targets: an error comes without a
// workbook; what was read is in order, and reads the same when it is
// written and read again.
func checkRead(t *testing.T, data []byte) {
	w, err := readBytes(data, fuzzLimits)
	if err != nil {
		if e := (*Error)(nil); w != nil || !errors.As(err, &e) || e.Kind == nil {
			t.Fatalf("%v with error %#v", w, err)
		}
		return
	}
	again, err := readBytes(encode(w).zip(t), Limits{})
	if err != nil {
		if len(encode(w)) == 4 { // no worksheet at all
			return
		}
		t.Fatalf("written again: %v", err)
	}
	k := 0
	for _, s := range w.Sheets {
		if s.Kind == Worksheet {
			compareSheets(t, s, again.Sheets[k])
			k++
		}
	}
}

func compareSheets(t *testing.T, a, b *Sheet) {
	if a.Len() != b.Len() {
		t.Fatalf("%d cells, then %d", a.Len(), b.Len())
	}
	for i, c := range a.All() {
		d := b.Cell(i)
		if i > 0 {
			if p := a.Cell(i - 1); p.Row > c.Row || p.Row == c.Row && p.Col >= c.Col {
				t.Fatalf("%v before %v", p, c)
			}
		}
		if (c.Group >= 0) != (d.Group >= 0) || c.Group >= 0 && a.Groups[c.Group] != b.Groups[d.Group] {
			t.Fatalf("%v and %v: groups differ", c, d)
		}
		d.Group = c.Group // numbered in the order of the file
		if c != d {
			t.Fatalf("%+v, then %+v", c, d)
		}
		if j, ok := a.Find(c.Row, c.Col); !ok || j != i {
			t.Fatalf("Find(%v) = %d, %v", c, j, ok)
		}
	}
}

// FuzzRead reads arbitrary files.
func FuzzRead(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	f.Add(compound("EncryptedPackage"))
	f.Add(oneSheet(`<row><c><f>1</f><v>1</v></c></row>`).zip(f))
	for _, p := range archives(f) {
		f.Add(p.complete().zip(f))
	}
	f.Fuzz(checkRead)
}

// FuzzParts reads workbooks whose XML is arbitrary but whose archive is sound.
func FuzzParts(f *testing.F) {
	f.Add(`<row r="1"><c r="B1" t="s"><v>0</v></c></row>`, `<si><t>a</t></si>`)
	for _, p := range archives(f) {
		sheet, strs := p["xl/worksheets/sheet1.xml"], p["xl/sharedStrings.xml"]
		f.Add(between(sheet, "<sheetData>", "</sheetData>"), between(strs, ">", "</sst>"))
	}
	f.Fuzz(func(t *testing.T, rows, items string) {
		p := oneSheet(rows)
		p["xl/sharedStrings.xml"] = `<sst ` + nsMain + `>` + items + `</sst>`
		p = parts{"xl/worksheets/sheet1.xml": p["xl/worksheets/sheet1.xml"], "xl/sharedStrings.xml": p["xl/sharedStrings.xml"]}.complete()
		checkRead(t, p.zip(t))
	})
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

// archives returns the parts of all golden archives.
func archives(f *testing.F) []parts {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no archives", err)
	}
	var all []parts
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, p, _ := splitArchive(f, string(data))
		all = append(all, p)
	}
	return all
}

// FuzzText compares the text of an element with what encoding/xml makes of it.
// That package does not normalise white space in attributes, and it refuses "]]>"
// in text and names with odd characters, so only what both accept is compared.
func FuzzText(f *testing.F) {
	for _, s := range []string{"a&amp;b", "<![CDATA[x]]>", "a<!--c-->b", "<?p i?>x", "&#65;&#x1F600;", "\r\n\r", "]]>", "&#xD;", "<b/>", "é\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ours, err := leafText("<t>" + s + "</t>")
		theirs, err2 := stdText("<t>" + s + "</t>")
		if err == nil && err2 == nil && ours != theirs {
			t.Errorf("text %q, encoding/xml %q", ours, theirs)
		}
	})
}

func leafText(doc string) (string, error) {
	src, err := toUTF8("part", []byte(doc))
	if err != nil {
		return "", err
	}
	s := newScanner("part", src, &budget{lim: Limits{}.withDefaults()})
	if err := s.root(); err != nil {
		return "", err
	}
	text, err := s.text(nil)
	if err != nil {
		return "", err
	}
	return string(text), s.finish()
}

func stdText(doc string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(doc))
	var b strings.Builder
	depth := 0
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if depth++; depth > 1 {
				return "", errors.New("an element inside")
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth > 0 {
				b.Write(tok)
			}
		}
	}
}
