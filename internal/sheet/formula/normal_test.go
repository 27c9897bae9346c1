package formula

import (
	"slices"
	"strings"
	"testing"
)

// parseCell reads Sheet!A1.
func parseCell(t *testing.T, s string) Cell {
	t.Helper()
	i := strings.LastIndexByte(s, '!')
	r, end, ok := scanRange(s, i+1)
	if i < 0 || !ok || end != len(s) {
		t.Fatalf("bad cell %q", s)
	}
	return Cell{Sheet: s[:i], Row: int(r.From.Row), Col: int(r.From.Col)}
}

func mustParse(t testing.TB, src string) *Formula {
	t.Helper()
	f, err := Parse(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return f
}

// description is normal form, skeleton and references, one per line.
func description(f *Formula, at Cell) []string {
	out := []string{f.Normal(at), f.Skeleton(at)}
	for _, r := range f.Refs(at.Sheet) {
		out = append(out, r.String())
	}
	return out
}

// streamed is description by the streaming functions.
func streamed(src string, at Cell, d Offset) ([]string, error) {
	normal, refs, err := AppendNormalRefs(nil, nil, src, at, d)
	if err != nil {
		return nil, err
	}
	skeleton, refs2, err := AppendSkeletonRefs(nil, nil, src, at, d)
	if err != nil {
		return nil, err
	}
	out := []string{string(normal), string(skeleton)}
	for i, r := range refs {
		out = append(out, r.String())
		if r != refs2[i] {
			out = append(out, "differs with the skeleton: "+refs2[i].String())
		}
	}
	return out, nil
}

func TestNormal(t *testing.T) {
	cases(t, "normal.txt", func(line int, in string, want []string) {
		place, src, _ := strings.Cut(in, " ")
		at := parseCell(t, place)
		got := []string{"error"}
		if f, err := Parse(src); err == nil {
			got = description(f, at)
		}
		if !slices.Equal(got, want) {
			t.Errorf("normal.txt:%d: %s\n got %s\nwant %s", line, in, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
		stream, err := streamed(src, at, Offset{})
		if err != nil {
			stream = []string{"error"}
		}
		if !slices.Equal(stream, want) {
			t.Errorf("normal.txt:%d: %s\nstreamed %s", line, in, strings.Join(stream, "\n         "))
		}
	})
}

func TestAppendNormalRefsKeepsDst(t *testing.T) {
	dst, refs := []byte("x:"), []Ref{{Name: "old"}}
	dst, refs, err := AppendNormalRefs(dst, refs, "A1+Rate", Cell{Row: 1, Col: 1}, Offset{})
	if err != nil || string(dst) != "x:R[0]C[0]+RATE" || len(refs) != 3 || refs[0].Name != "old" {
		t.Fatalf("got %q, %v, %v", dst, refs, err)
	}
	dst, refs, err = AppendNormalRefs(dst, refs, "A1+A2+", Cell{Row: 1, Col: 1}, Offset{})
	if err == nil || string(dst) != "x:R[0]C[0]+RATE" || len(refs) != 3 {
		t.Fatalf("after an error: %q, %v, %v", dst, refs, err)
	}
}

// TestFill checks that filling down or moving keeps the normal form of relative
// references, and that the streaming path shifts as Shift does.
func TestFill(t *testing.T) {
	const src = "IF(B12>C1,SUM(D2:D40)*E7,VLOOKUP(A12,A1:F200,3,FALSE))"
	f := mustParse(t, src)
	want := f.Normal(Cell{Row: 12, Col: 7})
	for d := 0; d < 50; d++ {
		at := Cell{Row: 12 + d, Col: 7 + d}
		if got := f.Shift(d, d).Normal(at); got != want {
			t.Fatalf("shift %d: %s, want %s", d, got, want)
		}
		got, _, err := AppendNormalRefs(nil, nil, src, at, Offset{d, d})
		if err != nil || string(got) != want {
			t.Fatalf("streamed shift %d: %s, %v, want %s", d, got, err, want)
		}
	}
}

func TestShift(t *testing.T) {
	tests := []struct {
		src        string
		rows, cols int
		want       string
	}{
		{"A1+$A1+A$1+$A$1", 2, 3, "D3+$A3+D$1+$A$1"},
		{"SUM(A1:$B$2)", 1, 1, "SUM(B2:$B$2)"},
		{"SUM(A$3:A5)", -4, 0, "SUM(A$3:A1)"},
		{"A1", -1, 0, "#REF!"},
		{"A1", 0, -1, "#REF!"},
		{"XFD1048576", 1, 1, "#REF!"},
		{"SUM(A1:A3)+1", -1, 0, "SUM(#REF!)+1"},
		{"SUM(A:B)", 5, 1, "SUM(B:C)"},
		{"SUM(A:$B)", 5, 1, "SUM(B:$B)"},
		{"SUM(3:4)", 5, 1, "SUM(8:9)"},
		{"SUM(1:4)", -1, 0, "SUM(#REF!)"},
		{"SUM(A1:B1048576)", 5, 1, "SUM(B1:C1048576)"},
		{"SUM(1:1048576)", 5, 1, "SUM(1:1048576)"},
		{"Sheet2!A1:B2", -1, 0, "#REF!"},
		{"'Jan:Mar'!A1+[1]Data!A1", 1, 0, "'Jan:Mar'!A2+[1]Data!A2"},
		{"A5#+Rate+Tab[x]+{1,2}", -4, 0, "A1#+Rate+Tab[x]+{1,2}"},
		{"A1#", -1, 0, "#REF!#"},
		{"SUM(B1:C2)", 0, -2, "SUM(#REF!)"},
		{"SUM(A1:B2)", -2, -2, "SUM(#REF!)"},
		{"-(A1%)*B2:INDEX(C3,,D4)", 1, 0, "-(A2%)*B3:INDEX(C4,,D5)"},
		{"A1", 1 << 21, 0, "#REF!"},
		{"A1", -1 << 21, 0, "#REF!"},
	}
	for _, tt := range tests {
		f := mustParse(t, tt.src)
		before := f.String()
		got := f.Shift(tt.rows, tt.cols).String()
		if f.String() != before {
			t.Errorf("%s: Shift changed its receiver to %s", tt.src, f)
		}
		if got != tt.want {
			t.Errorf("%s by %d,%d: %s, want %s", tt.src, tt.rows, tt.cols, got, tt.want)
		}
	}
}

func TestShiftInvoke(t *testing.T) {
	f := mustParse(t, "LAMBDA(_xlpm.x,_xlpm.x+A1)(B1)")
	if got, want := f.Shift(1, 0).String(), "LAMBDA(_xlpm.x,_xlpm.x+A2)(B2)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
