package calc

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"winnow/internal/sheet/xlsx"
)

// oneSheet is a workbook with the given markup as the rows of its sheet One.
func oneSheet(t *testing.T, rows string) *xlsx.Workbook {
	t.Helper()
	return (&model{rows: rows}).workbook(t)
}

// TestStoredContent reads what other programs store and excelize does not write.
func TestStoredContent(t *testing.T) {
	b, err := New(oneSheet(t, `<row r="1">`+
		`<c r="A1"><v> 1.5E1 </v></c><c r="B1"><v>1e999</v></c><c r="C1"><v>0x10</v></c><c r="D1"><v>Infinity</v></c>`+
		`<c r="E1" t="b"><v>true</v></c><c r="F1" t="b"><v>yes</v></c><c r="G1" t="d"><v>2020-01-01</v></c><c r="H1" t="inlineStr"><is><t></t></is></c>`+
		`<c r="I1" t="e"><v>#SPILL!</v></c><c r="J1" vm="1"><v>1</v></c><c r="K1" s="3"/><c r="L1" t="str"><v>text</v></c></row>`+
		`<row r="2"><c r="A2"><f ca="1">A1*2</f><v>1</v></c><c r="B2"><f>SUM(A1,B1)</f></c><c r="C2"><f>IF(K1="",K1+1,0)</f></c><c r="D2"><f>1+</f></c><c r="E2" vm="1"><f>1+1</f><v>2</v></c>`+
		`<c r="F2"><f>Z1048576&amp;"x"</f></c><c r="G2"><f>#SPILL!</f></c><c r="H2"><f>Sheet1!#REF!</f></c><c r="I2"><f>0.1+0.2-0.3</f></c><c r="J2"><f>(0.1+0.2-0.3)</f></c></row>`), Options{})
	must(t, err)
	defer b.Close()
	expect(t, b, map[string]string{
		"One!A1": "15", "One!B1": "refused", "One!C1": "refused", "One!D1": "refused", "One!E1": "TRUE", "One!F1": "refused", "One!G1": "refused", "One!H1": "refused",
		"One!I1": "#SPILL!", "One!J1": "refused", "One!K1": "blank", "One!L1": `"text"`,
		"One!A2": "30", "One!B2": "refused", "One!C2": "1", "One!D2": "refused", "One!E2": "refused", "One!F2": `"x"`, "One!G2": "refused", "One!H2": "#REF!", "One!I2": "0", "One!J2": "refused",
	})
	_, err = value(context.Background(), b, "One", "B2")
	if want := `cannot compute One!B1: the number "1e999" cannot be read`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	must(t, set(b, "One", "J1", Number(7))) // what a test sets replaces what cannot be read
	expect(t, b, map[string]string{"One!J1": "7"})
}

// TestGroups: shared formulas move, and what arrays fill is refused, also where the file has no cell.
func TestGroups(t *testing.T) {
	b, err := New(oneSheet(t, `<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" si="4" ref="B1:B3">A1*10+$A$1</f></c><c r="C1"><f t="array" ref="C1:C3">A1:A3</f><v>1</v></c><c r="D1"><f>C3+1</f></c></row>`+
		`<row r="2"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" si="4"/></c><c r="C2"><v>2</v></c><c r="D2"><f>SUM(B2:C3)</f></c></row>`+
		`<row r="3"><c r="A3"><v>3</v></c><c r="B3"><f t="shared" si="4"/></c><c r="D3"><f>SUM(A1:B3)</f></c></row>`+
		`<row r="5"><c r="A5"><f t="shared" si="5" ref="A5:A6">IF(A3&gt;0,1,@B1)</f></c></row><row r="6"><c r="A6"><f t="shared" si="5"/></c></row>`), Options{})
	must(t, err)
	defer b.Close()
	want := map[string]string{"One!B1": "11", "One!B2": "21", "One!B3": "31", "One!C1": "refused", "One!C2": "refused", "One!C3": "refused", "One!D1": "refused", "One!D2": "refused", "One!D3": "69", "One!A5": "refused", "One!A6": "refused"}
	expect(t, b, want)
	must(t, set(b, "One", "C3", Number(8)))
	expect(t, b, map[string]string{"One!C3": "8", "One!D1": "9", "One!C2": "refused"})
	b.Reset()
	expect(t, b, want)
	_, err = value(context.Background(), b, "One", "D1")
	if want := "cannot compute One!C3: it is filled by the array formula or data table of C1:C3"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSheetsThatAreNotComputed(t *testing.T) {
	wb := oneSheet(t, `<row r="1"><c r="A1"><f>IF(B1=1,Two!A1,5)</f></c></row>`)
	wb.Sheets[1].Transition = true
	b, err := New(wb, Options{})
	must(t, err)
	defer b.Close()
	expect(t, b, map[string]string{"One!A1": "5"})
	must(t, set(b, "One", "B1", Number(1)))
	if v, err := value(context.Background(), b, "One", "A1"); !errors.Is(err, ErrWorkbook) {
		t.Errorf("got %v, %v, want ErrWorkbook", v, err)
	}
	wb.Sheets[1].Transition, wb.Sheets[1].Kind = false, xlsx.ChartSheet
	if v, err := value(context.Background(), b, "One", "A1"); !errors.Is(err, ErrNoSheet) {
		t.Errorf("got %v, %v, want ErrNoSheet", v, err)
	}
	for _, at := range []xlsx.Area{{Row1: 0, Col1: 1}, {Row1: 1, Col1: 0}, {Row1: xlsx.MaxRow + 1, Col1: 1}, {Row1: 1, Col1: xlsx.MaxCol + 1}} {
		if _, err := b.Value(context.Background(), "One", at.Row1, at.Col1); err == nil {
			t.Errorf("row %d, column %d has a value", at.Row1, at.Col1)
		}
		if err := b.Set("One", at.Row1, at.Col1, Blank()); err == nil {
			t.Errorf("row %d, column %d was set", at.Row1, at.Col1)
		}
	}
}

// TestWholeColumns: columns are cut to what they hold themselves, so their sizes after the cut may differ.
func TestWholeColumns(t *testing.T) {
	m := &model{cells: map[spot]string{}, names: map[nameSpot]string{{-1, "COL"}: "One!$A:$A"}}
	for row := 1; row <= 4; row++ {
		m.cells[spot{0, row, 1}] = fmt.Sprint(row)
	}
	m.cells[spot{0, 2, 2}], m.cells[spot{0, 9, 2}], m.cells[spot{1, 3, 1}] = "20", "90", "1"
	b, err := New(m.workbook(t), Options{MaxArea: 50})
	must(t, err)
	defer b.Close()
	for expr, want := range map[string]string{
		"SUM(A:A)": "10", "SUM(A1:A1048576)": "10", "SUMIF(A:A,\">1\",B:B)": "20", "SUMIF(B:B,\">1\",A:A)": "2", "COUNTIFS(A:A,3,Two!A:A,1)": "1", "AVERAGEIF(A:A,2,B:B)": "20",
		"VLOOKUP(2,A:C,3,FALSE)": "0", "MATCH(3,A:A,1)": "3", "MATCH(20,2:2,0)": "2", "COUNTA(A:XFD)": "6", "COUNT(C:C)": "0",
		"COUNTIF(A:A,\"<>1\")": "refused", "COUNTIF(COL,\"<>1\")": "refused", "SUMIF(A:A,1,B1:B9)": "refused", "COUNTBLANK(A:A)": "refused", "SUM(A1:B30)": "refused", "CORREL(A:A,B:B)": "refused",
	} {
		v, err := eval(b, "One", expr)
		if got := v.String(); got != want && !(want == "refused" && errors.Is(err, ErrRefused)) || err != nil && want != "refused" {
			t.Errorf("%s: got %s (%v), want %s", expr, got, err, want)
		}
	}
}

// TestHostileDepth: long formulas in a long chain do not exhaust the stack.
func TestHostileDepth(t *testing.T) {
	const n, terms = maxDepth + 50, 2000
	m := &model{cells: map[spot]string{{0, 1, 1}: "1"}}
	for row := 2; row <= n; row++ {
		m.cells[spot{0, row, 1}] = "=" + xlsx.CellName(row-1, 1) + strings.Repeat("+1", terms)
	}
	b, err := New(m.workbook(t), Options{})
	must(t, err)
	defer b.Close()
	before := debug.SetMaxStack(32 << 20)
	defer debug.SetMaxStack(before)
	if v, err := b.Value(context.Background(), "One", n, 1); err != nil || v != Number(1+terms*(n-1)) {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestFingerprint(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", engineModule).Output()
	must(t, err)
	if got := strings.TrimSpace(string(out)); got != engineVersion {
		t.Errorf("go.mod has %s, the fingerprint says %s", got, engineVersion)
	}
	if f := Fingerprint(); f != Fingerprint() || !strings.Contains(f, engineVersion) {
		t.Errorf("fingerprint %q", f)
	}
	build := &debug.BuildInfo{Deps: []*debug.Module{{Path: "golang.org/x/text", Version: "v1"}, {Path: "example.com/other", Version: "v2"}, {Path: engineModule, Version: "v3", Replace: &debug.Module{Path: "../fork"}}}}
	if got, want := engineIn(build), "../fork, golang.org/x/text v1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := engineIn(nil), engineModule+" "+engineVersion; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
