package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

var kinds = []error{ErrNotWorkbook, ErrPassword, ErrDamaged, ErrLimit, ErrUnsupported, ErrRead}

// wantError checks that reading fails with one kind, that a message
// contains text, and that no workbook comes with the error.
func wantError(t *testing.T, data []byte, lim Limits, kind error, text string) {
	t.Helper()
	w, err := readBytes(data, lim)
	if w != nil {
		t.Error("a workbook was returned")
	}
	if err == nil {
		t.Fatal("no error")
	}
	for _, k := range kinds {
		if errors.Is(err, k) != (k == kind) {
			t.Errorf("errors.Is(%q, %v) = %v", err, k, k != kind)
		}
	}
	if !strings.Contains(err.Error(), text) {
		t.Errorf("got %q, want it to contain %q", err, text)
	}
}

func TestNotWorkbook(t *testing.T) {
	ods := parts{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>"}
	typed := func(ctype string) []byte {
		p := oneSheet("")
		p["[Content_Types].xml"] = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="` + ctype + `"/></Types>`
		return p.zip(t)
	}
	for _, tt := range []struct {
		name string
		data []byte
		kind error
		text string
	}{
		{"empty", nil, ErrNotWorkbook, "is empty"},
		{"one byte", []byte("a"), ErrNotWorkbook, "text file"},
		{"csv", []byte("a;b\n1;2\n"), ErrNotWorkbook, "text file"},
		{"csv with cut rune", []byte(strings.Repeat("é", 400)[:513]), ErrNotWorkbook, "text file"},
		{"utf-16 csv", []byte("\xff\xfea\x00;\x00"), ErrNotWorkbook, "text file"},
		{"html", []byte("  <!DOCTYPE html><html>"), ErrNotWorkbook, "web page"},
		{"xml 2003", []byte(`<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">`), ErrNotWorkbook, "2003"},
		{"xml", []byte(`<?xml version="1.0"?><a/>`), ErrNotWorkbook, "plain XML"},
		{"pdf", []byte("%PDF-1.7\n"), ErrNotWorkbook, "PDF"},
		{"gzip", []byte("\x1f\x8b\x08"), ErrNotWorkbook, "gzip"},
		{"binary", []byte{0, 1, 2, 3}, ErrNotWorkbook, "zip archive"},
		{"empty zip", parts{}.zip(t), ErrNotWorkbook, "empty zip"},
		{"zip", parts{"a.txt": "x"}.zip(t), ErrNotWorkbook, "holds no workbook"},
		{"nested zip", parts{"xl/workbook.xlsx": string(oneSheet("").zip(t))}.zip(t), ErrNotWorkbook, "holds no workbook"},
		{"ods", ods.zip(t), ErrNotWorkbook, "OpenDocument"},
		{"docx", typed("application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"), ErrNotWorkbook, ".docx"},
		{"pptx", typed("application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"), ErrNotWorkbook, ".pptx"},
		{"visio", typed("application/vnd.ms-visio.drawing.main+xml"), ErrNotWorkbook, "visio"},
		{"xlsb", typed("application/vnd.ms-excel.sheet.binary.macroEnabled.main"), ErrUnsupported, ".xlsb"},
		{"xls", compound("Workbook"), ErrNotWorkbook, ".xls"},
		{"xls 5", compound("Book"), ErrNotWorkbook, ".xls"},
		{"ole", compound("WordDocument"), ErrNotWorkbook, "OLE"},
		{"encrypted", compound("EncryptedPackage"), ErrPassword, "remove the password"},
	} {
		t.Run(tt.name, func(t *testing.T) { wantError(t, tt.data, Limits{}, tt.kind, tt.text) })
	}
}

// compound returns the beginning of an OLE file with one directory entry.
func compound(stream string) []byte {
	b := append([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), make([]byte, 1024)...)
	entry := b[512:]
	copy(entry, streamName(stream))
	entry[64], entry[66] = byte(len(streamName(stream))), 2
	return b
}

func TestEncryptedByExcelize(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	path := filepath.Join(t.TempDir(), "secret.xlsx")
	if err := f.SaveAs(path, excelize.Options{Password: "x"}); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path, Limits{})
	if !errors.Is(err, ErrPassword) || !strings.HasPrefix(err.Error(), path+": ") {
		t.Error(err)
	}
}

func TestOpenErrors(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none.xlsx"), Limits{}); !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, ErrRead) {
		t.Error(err)
	}
	if _, err := Open(t.TempDir(), Limits{}); !errors.Is(err, ErrNotWorkbook) {
		t.Error(err)
	}
}

type failingReader struct{ err error }

func (f failingReader) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// A failure to read must not look like a damaged file.
func TestReadFailure(t *testing.T) {
	_, err := Read(failingReader{os.ErrPermission}, 100, Limits{})
	if !errors.Is(err, ErrRead) || !errors.Is(err, os.ErrPermission) {
		t.Error(err)
	}
}

func TestBadXML(t *testing.T) {
	for _, tt := range []struct{ rows, text string }{
		{`<row r="0001"/>`, "row number"},
		{`<row r="1048577"/>`, "row number"},
		{`<row r="-1"/>`, "row number"},
		{`<row r="99999999999999999999"/>`, "row number"},
		{`<row r="1048576"/><row/>`, "more than 1048576 rows"},
		{`<row r="1"><c r="XFE1"/></row>`, "cell reference"},
		{`<row r="1"><c r="AAAA1"/></row>`, "cell reference"},
		{`<row r="1"><c r="A0"/></row>`, "cell reference"},
		{`<row r="1"><c r="1"/></row>`, "cell reference"},
		{`<row r="1"><c r="$A$1"/></row>`, "cell reference"},
		{`<row r="1"><c r=""/></row>`, "cell reference"},
		{`<row r="1"><c r="XFD1"/><c/></row>`, "more than 16384 cells"},
		{`<row><c/><c r="B7"/></row>`, "stands in row 1"},
		{`<row><c t="x"/></row>`, "unknown type"},
		{`<row><c t="s"><v>0</v></c></row>`, "shared string 0, but there are 0"},
		{`<row><c t="s"><v>-1</v></c></row>`, "not the index"},
		{`<row><c t="s"><v>4294967296</v></c></row>`, "not the index"},
		{`<row><c t="inlineStr"><is/><is/></c></row>`, "two <is>"},
		{`<row><c><v>1</v><v>2</v></c></row>`, "two <v>"},
		{`<row><c><f>1</f><f>2</f></c></row>`, "two <f>"},
		{`<row><c><f t="odd">1</f></c></row>`, "unknown type"},
		{`<row><c><f t="array" ref="A">1</f></c></row>`, "area"},
		{`<row><c><f t="shared" si="x">1</f></c></row>`, "shared formula"},
		{`<row><c><f ca="perhaps">1</f></c></row>`, "truth value"},
		{`<row><c><v><b/></v></c></row>`, "inside the text"},
		{`<row><c><w/></c></row>`, "unexpected element <w>"},
		{`<row><d/></row>`, "unexpected element <d>"},
		{`<c/>`, "unexpected element <c>"},
		{`<x:row/>`, "unexpected element <x:row>"}, // undeclared prefix
		{`<row xmlns:y="http://purl.oclc.org/ooxml/spreadsheetml/main"><y:c/></row><row><y:c/></row>`, "unexpected element <y:c>"},
		{`<row><c></row>`, "not closed"},
		{`<row><c></c></row></row>`, "not closed"},
		{`<row r=1/>`, "not quoted"},
		{`<row r="1" r="1"/>`, "twice"},
		{`<row r/>`, "malformed"},
		{`<row r="1"s="1"/>`, "malformed"},
		{`<row r="<"/>`, "contains '<'"},
		{`<row / >`, "malformed"},
		{`< row/>`, "without a name"},
		{`<row><c t="str"><v>&nbsp;</v></c></row>`, "unknown reference"},
		{`<row><c t="str"><v>&#0;</v></c></row>`, "unknown reference"},
		{`<row><c t="str"><v>&#xD800;</v></c></row>`, "unknown reference"},
		{`<row><c t="str"><v>&#x110000;</v></c></row>`, "unknown reference"},
		{`<row><c t="str"><v>&#;</v></c></row>`, "unknown reference"},
		{`<row><c t="str"><v>& </v></c></row>`, "unknown reference"},
		{"<row><c t=\"str\"><v>\x01</v></c></row>", "control character"},
		{"<row><c t=\"str\"><v>\xff</v></c></row>", "UTF-8"},
		{`<row><c t="str"><v><![CDATA[x</v></c></row>`, "does not end"},
		{`<!-- <row/>`, "missing"},
		{`<!ELEMENT a>`, "unknown markup"},
		{`</sheetData><sheetData>`, "two <sheetData>"},
		{`</sheetData><hidden><sheetData/></hidden><sheetData>`, "unexpected place"},
		{`</sheetData></worksheet><worksheet><sheetData>`, "after the root"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			wantError(t, oneSheet(tt.rows).zip(t), Limits{}, ErrDamaged, tt.text)
		})
	}
}

// TestBadBook breaks one part of a good workbook at a time.
func TestBadBook(t *testing.T) {
	const wb, rels = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
	for _, tt := range []struct {
		part, old, new string
		kind           error
		text           string
	}{
		{wb, `name="Sheet1"`, `name="SHEET2"`, ErrDamaged, "two sheets"},
		{wb, `name="Sheet1"`, `name=""`, ErrDamaged, "no name"},
		{wb, `r:id="s1"`, `r:id="nowhere"`, ErrDamaged, "relationship"},
		{wb, `r:id="s1"`, `r:id="s2"`, ErrDamaged, "same part"},
		{wb, `r:id="s1"`, `r:id="s1" state="odd"`, ErrDamaged, "unknown state"},
		{wb, `</sheets>`, `</sheets><definedNames><definedName name="n" localSheetId="2">1</definedName></definedNames>`, ErrDamaged, "sheet number 3"},
		{wb, `</sheets>`, `</sheets><definedNames><definedName name="n" localSheetId="-1">1</definedName></definedNames>`, ErrDamaged, "localSheetId"},
		{wb, `</sheets>`, `</sheets><externalReferences><externalReference r:id="q"/></externalReferences>`, ErrDamaged, "external reference"},
		{wb, `</sheets>`, `</sheets><calcPr iterateCount="x"/>`, ErrDamaged, "iterateCount"},
		{wb, nsMain, `xmlns="urn:other"`, ErrDamaged, "root element"},
		{rels, `relationships/worksheet`, `relationships/unheardOf`, ErrUnsupported, "unknown kind"},
		{rels, `worksheets/sheet1.xml`, `worksheets/sheet9.xml`, ErrDamaged, "is missing"},
		{rels, `worksheets/sheet1.xml`, `../../../etc/passwd`, ErrDamaged, "etc/passwd: is missing"},
		{rels, `Id="s1"`, `Id="s2"`, ErrDamaged, "two relationships"},
		{rels, `Target="worksheets/sheet1.xml"`, `Target="http://a/b" TargetMode="External"`, ErrDamaged, "has no part"},
		{"xl/worksheets/sheet1.xml", `<sheetData></sheetData>`, ``, ErrDamaged, "no <sheetData>"},
		{"xl/worksheets/sheet1.xml", `</worksheet>`, `<tableParts><tablePart r:id="x"/></tableParts></worksheet>`, ErrDamaged, "table"},
		{"xl/worksheets/sheet1.xml", `</worksheet>`, `<mergeCells><mergeCell ref="A"/></mergeCells></worksheet>`, ErrDamaged, "area"},
		{"xl/worksheets/sheet1.xml", `<worksheet`, `<?xml version="1.0" encoding="latin1"?><worksheet`, ErrUnsupported, "latin1"},
		{"[Content_Types].xml", `<Types`, `<Tips`, ErrDamaged, "root element"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			empty := `<worksheet ` + nsMain + `><sheetData></sheetData></worksheet>`
			p := parts{"xl/worksheets/sheet1.xml": empty, "xl/worksheets/sheet2.xml": empty}.complete()
			changed := strings.Replace(p[tt.part], tt.old, tt.new, 1)
			if changed == p[tt.part] {
				t.Fatalf("%q is not in %s", tt.old, tt.part)
			}
			p[tt.part] = changed
			wantError(t, p.zip(t), Limits{}, tt.kind, tt.text)
		})
	}
}

// rawEntry writes one entry with chosen headers.
type rawEntry struct {
	header zip.FileHeader
	data   string // already compressed, if a method is set
}

// appendEntries packs p and then the raw entries.
func appendEntries(t *testing.T, p parts, extra ...rawEntry) []byte {
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
	for _, e := range extra {
		w, err := z.CreateRaw(&e.header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestBadNames(t *testing.T) {
	for _, name := range []string{"/abs", "../up", "a/../b", "a//b", "./a", `..\up`, `C:\x`, "a\x00b", "XL/Workbook.xml", `xl\workbook.xml`} {
		t.Run(name, func(t *testing.T) {
			data := appendEntries(t, oneSheet(""), rawEntry{header: zip.FileHeader{Name: name}})
			wantError(t, data, Limits{}, ErrDamaged, "the archive holds")
		})
	}
	if _, err := readBytes(appendEntries(t, oneSheet(""), rawEntry{header: zip.FileHeader{Name: "xl/media/"}}), Limits{}); err != nil {
		t.Errorf("a directory entry: %v", err)
	}
}

// TestHeaders lets headers lie about an entry that is needed.
func TestHeaders(t *testing.T) {
	p := oneSheet("")
	types := p["[Content_Types].xml"]
	delete(p, "[Content_Types].xml")
	size := uint64(len(types))
	for _, tt := range []struct {
		name   string
		header zip.FileHeader
		kind   error
		text   string
	}{
		{"checksum", zip.FileHeader{CRC32: 1, CompressedSize64: size, UncompressedSize64: size}, ErrDamaged, "checksum"},
		{"too long", zip.FileHeader{CompressedSize64: size, UncompressedSize64: size + 9}, ErrDamaged, "[Content_Types].xml"},
		{"too short", zip.FileHeader{CompressedSize64: size, UncompressedSize64: size - 9}, ErrDamaged, "[Content_Types].xml"},
		{"huge claim", zip.FileHeader{CompressedSize64: size, UncompressedSize64: 1 << 60}, ErrDamaged, "[Content_Types].xml"},
		{"not deflated", zip.FileHeader{Method: zip.Deflate, CompressedSize64: size, UncompressedSize64: size}, ErrDamaged, "inflated"},
		{"method", zip.FileHeader{Method: 14, CompressedSize64: size, UncompressedSize64: size}, ErrUnsupported, "method 14"},
		{"encrypted", zip.FileHeader{Flags: 1, CompressedSize64: size, UncompressedSize64: size}, ErrPassword, "without a password"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.header.Name = "[Content_Types].xml"
			wantError(t, appendEntries(t, p, rawEntry{tt.header, types}), Limits{}, tt.kind, tt.text)
		})
	}
}

// TestTruncated cuts a workbook at every byte; no prefix of it is a workbook.
func TestTruncated(t *testing.T) {
	data := oneSheet(`<row><c><v>1</v></c></row>`).zip(t)
	for n := range data {
		w, err := readBytes(data[:n], Limits{})
		if err == nil || w != nil {
			t.Fatalf("%d of %d bytes read as a workbook", n, len(data))
		}
		if n > 4 && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
}

// TestFlippedBytes changes every byte in turn. Content that is read is
// protected by a checksum, so what reads at all reads the same.
func TestFlippedBytes(t *testing.T) {
	data := oneSheet(`<row><c><v>1</v></c></row>`).zip(t)
	want := dump(mustRead(t, oneSheet(`<row><c><v>1</v></c></row>`)))
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 0x41
		if w, err := readBytes(bad, Limits{}); err == nil && dump(w) != want {
			t.Errorf("byte %d flipped: got\n%s", i, dump(w))
		}
	}
}

func TestLimits(t *testing.T) {
	cells := strings.Repeat(`<row><c/><c/></row>`, 50)
	many := parts{
		"xl/worksheets/sheet1.xml": `<worksheet ` + nsMain + `><sheetData>` + cells + `</sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": `<worksheet ` + nsMain + `><sheetData>` + cells + `</sheetData></worksheet>`,
		"xl/sharedStrings.xml":     `<sst ` + nsMain + `><si/><si/><si/></sst>`,
	}.complete()
	data := many.zip(t)
	bomb := parts{"xl/worksheets/sheet1.xml": `<worksheet ` + nsMain + `><!--` + strings.Repeat(" ", 40*mib) + `--><sheetData/></worksheet>`}.complete().zip(t)
	deep := parts{"xl/worksheets/sheet1.xml": `<worksheet ` + nsMain + `>` + strings.Repeat("<a>", 100_000)}.complete().zip(t)
	book := oneSheet("")
	book["xl/workbook.xml"] = strings.Replace(book["xl/workbook.xml"], "</sheets>", "</sheets><definedNames>"+strings.Repeat("<definedName/>", 50)+"</definedNames>", 1)
	named := book.zip(t)
	merged := oneSheet(`</sheetData><mergeCells>` + strings.Repeat(`<mergeCell ref="A1"/>`, 100) + `</mergeCells><sheetData>`).zip(t)
	grouped := oneSheet(strings.Repeat(`<row><c><f t="array">1</f></c></row>`, 40)).zip(t)
	wide := parts{"xl/worksheets/sheet1.xml": `<worksheet ` + nsMain + manyAttrs(100_000) + `><sheetData/></worksheet>`}.complete().zip(t)
	for _, tt := range []struct {
		name string
		data []byte
		lim  Limits
		kind error
		text string
	}{
		{"file", data, Limits{FileBytes: 100}, ErrLimit, "Limits.FileBytes"},
		{"entries", data, Limits{Entries: 3}, ErrLimit, "Limits.Entries"},
		{"part", data, Limits{PartBytes: 600}, ErrLimit, "Limits.PartBytes"},
		{"total", data, Limits{TotalBytes: 2000}, ErrLimit, "Limits.TotalBytes"},
		{"sheets", data, Limits{Sheets: 1}, ErrLimit, "Limits.Sheets"},
		{"cells", data, Limits{Cells: 200}, ErrLimit, "Limits.Cells"},
		{"names", named, Limits{Cells: 100}, ErrLimit, "Limits.Cells"},
		{"merged", merged, Limits{Cells: 100}, ErrLimit, "Limits.Cells"},
		{"groups", grouped, Limits{Cells: 150}, ErrLimit, "Limits.Cells"},
		{"strings", data, Limits{Strings: 2}, ErrLimit, "Limits.Strings"},
		{"depth", deep, Limits{}, ErrLimit, "Limits.Depth"},
		{"bomb", bomb, Limits{}, ErrLimit, "Limits.Ratio"},
		{"bomb by size", bomb, Limits{Ratio: 1 << 40, PartBytes: mib}, ErrLimit, "Limits.PartBytes"},
		{"attributes", wide, Limits{}, ErrDamaged, "attributes"},
	} {
		t.Run(tt.name, func(t *testing.T) { wantError(t, tt.data, tt.lim, tt.kind, tt.text) })
	}
	if _, err := readBytes(data, Limits{Entries: 7, Sheets: 2, Cells: 216, Strings: 3, Depth: 5, PartBytes: 4000, TotalBytes: 9000}); err != nil {
		t.Errorf("within the limits: %v", err)
	}
}

func manyAttrs(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ` a%d=""`, i)
	}
	return b.String()
}

// TestDirectoryLies has a directory with more entries than its end record says.
func TestDirectoryLies(t *testing.T) {
	p := oneSheet("")
	for i := range 5000 {
		p[fmt.Sprintf("junk/%d", i)] = ""
	}
	data := p.zip(t)
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	binary.LittleEndian.PutUint16(data[end+8:], 1)
	binary.LittleEndian.PutUint16(data[end+10:], 1)
	wantError(t, data, Limits{}, ErrDamaged, "directory")
	wantError(t, data, Limits{Entries: 10}, ErrLimit, "Limits.Entries")
}

// TestDirectoryMeter: reading stops as soon as the allowance is used up, so the
// zip package cannot collect more entries.
func TestDirectoryMeter(t *testing.T) {
	m := &directoryMeter{r: strings.NewReader("0123456789"), left: 8, metering: true}
	b := make([]byte, 5)
	if n, err := m.ReadAt(b, 0); n != 5 || err != nil {
		t.Error(n, err)
	}
	if n, err := m.ReadAt(b, 5); n != 0 || err == nil {
		t.Error(n, err)
	}
	m.metering = false
	if n, err := m.ReadAt(b, 5); n != 5 || err != nil {
		t.Error(n, err)
	}
}

// TestScopes: a namespace declared on an element ends with it.
func TestScopes(t *testing.T) {
	s := mustRead(t, oneSheet(`<q xmlns="urn:other"/><row><c><v>1</v></c><q xmlns="urn:other"><c/></q></row><row><c/></row>`)).Sheets[0]
	if s.Len() != 2 {
		t.Errorf("%d cells, want 2", s.Len())
	}
}

// TestOverlappingArrays would take the square of the number of cells if it
// were not bounded.
func TestOverlappingArrays(t *testing.T) {
	var b strings.Builder
	for range 40_000 {
		b.WriteString(`<row><c><f t="array" ref="A1:XFD1048576">1</f></c></row>`)
	}
	wantError(t, oneSheet(b.String()).zip(t), Limits{}, ErrDamaged, "overlap")
}

func TestFirstError(t *testing.T) {
	a, b := fault(ErrDamaged, "a", "x"), fault(ErrLimit, "b", "x")
	spent := fault(ErrLimit, "", "x")
	for _, tt := range []struct {
		errs []error
		want error
	}{{[]error{nil, nil}, nil}, {[]error{nil, a, b}, a}, {[]error{b, a}, b}, {[]error{a, nil, spent}, spent}} {
		if got := firstError(tt.errs); got != tt.want {
			t.Errorf("firstError(%v) = %v", tt.errs, got)
		}
	}
}

// TestSameErrorAlways reads a workbook with a fault in every sheet.
func TestSameErrorAlways(t *testing.T) {
	p := parts{}
	for i := range 8 {
		p[fmt.Sprintf("xl/worksheets/sheet%d.xml", i)] = `<worksheet ` + nsMain + `><sheetData>` + strings.Repeat("<row/>", i*100) + `<bad/></sheetData></worksheet>`
	}
	data := p.complete().zip(t)
	for range 50 {
		wantError(t, data, Limits{}, ErrDamaged, "xl/worksheets/sheet0.xml")
		wantError(t, data, Limits{TotalBytes: 6000}, ErrLimit, "Limits.TotalBytes")
	}
}

func TestUTF16(t *testing.T) {
	text := `<?xml version="1.0" encoding="UTF-16"?><worksheet ` + nsMain + `><sheetData><row><c t="str"><v>é😀</v></c></row></sheetData></worksheet>`
	want := dump(mustRead(t, oneSheet(`<row><c t="str"><v>é😀</v></c></row>`)))
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"\ufeff", ""} {
			var b []byte
			for _, u := range utf16.Encode([]rune(mark + text)) {
				b = order.AppendUint16(b, u)
			}
			p := oneSheet("")
			p["xl/worksheets/sheet1.xml"] = string(b)
			if got := dump(mustRead(t, p)); got != want {
				t.Errorf("%v, mark %q: got\n%s", order, mark, got)
			}
			p["xl/worksheets/sheet1.xml"] = string(b[:len(b)-1])
			wantError(t, p.zip(t), Limits{}, ErrDamaged, "UTF-16")
			half := order.AppendUint16(bytes.Clone(b), 0xD83D)
			p["xl/worksheets/sheet1.xml"] = string(half)
			wantError(t, p.zip(t), Limits{}, ErrDamaged, "UTF-16")
		}
	}
	p := oneSheet("")
	p["xl/worksheets/sheet1.xml"] = "\xEF\xBB\xBF" + strings.Replace(text, "UTF-16", "utf-8", 1)
	if got := dump(mustRead(t, p)); got != want {
		t.Errorf("UTF-8 with mark: got\n%s", got)
	}
}
