package xlsx

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/quick"
)

func TestCellNames(t *testing.T) {
	for _, tt := range []struct {
		name     string
		row, col int
	}{{"A1", 1, 1}, {"Z9", 9, 26}, {"AA10", 10, 27}, {"AZ1", 1, 52}, {"ZZ1", 1, 702}, {"AAA1", 1, 703}, {"XFD1048576", MaxRow, MaxCol}} {
		if got := CellName(tt.row, tt.col); got != tt.name {
			t.Errorf("CellName(%d, %d) = %s", tt.row, tt.col, got)
		}
		if row, col, ok := ParseCell(strings.ToLower(tt.name)); !ok || row != tt.row || col != tt.col {
			t.Errorf("ParseCell(%s) = %d, %d, %v", tt.name, row, col, ok)
		}
	}
	for _, bad := range []string{"", "A", "1", "A0", "A01", "XFE1", "A1048577", "AAAA1", "A1 ", "$A1", "A1:B2", "[1", "@1", "A1x"} {
		if row, col, ok := ParseCell(bad); ok {
			t.Errorf("ParseCell(%q) = %d, %d", bad, row, col)
		}
	}
}

func TestParseArea(t *testing.T) {
	for in, want := range map[string]string{"A1": "A1", "B2:A1": "A1:B2", "A2:B1": "A1:B2", "A1:A1": "A1"} {
		if a, ok := ParseArea(in); !ok || a.String() != want {
			t.Errorf("ParseArea(%s) = %v, %v", in, a, ok)
		}
	}
	for _, bad := range []string{"", ":", "A1:", "A1:B", "A:B", "1:2", "A1:B2:C3"} {
		if a, ok := ParseArea(bad); ok {
			t.Errorf("ParseArea(%q) = %v", bad, a)
		}
	}
}

// TestNameRoundTrip checks CellName and ParseCell against each other.
func TestNameRoundTrip(t *testing.T) {
	err := quick.Check(func(r, c uint32) bool {
		row, col := int(r%MaxRow)+1, int(c%MaxCol)+1
		r2, c2, ok := ParseCell(CellName(row, col))
		return ok && r2 == row && c2 == col
	}, nil)
	if err != nil {
		t.Error(err)
	}
}

// randomSheet returns a sheet with cells at random places, sparse or dense.
func randomSheet(t *testing.T, rng *rand.Rand) *Sheet {
	height, width, n := 1+rng.IntN(60), 1+rng.IntN(60), rng.IntN(300)
	base := rng.IntN(2) * rng.IntN(1_000_000)
	seen := map[[2]int]bool{}
	var rows strings.Builder
	for range n {
		row, col := base+1+rng.IntN(height), 1+rng.IntN(width)
		if !seen[[2]int{row, col}] {
			fmt.Fprintf(&rows, `<row r="%d"><c r="%s"/></row>`, row, CellName(row, col))
		}
		seen[[2]int{row, col}] = true
	}
	s := mustRead(t, oneSheet(rows.String())).Sheets[0]
	if s.Len() != len(seen) {
		t.Fatalf("%d cells, want %d", s.Len(), len(seen))
	}
	return s
}

// TestAreaAndFind compares both with a walk over all cells.
func TestAreaAndFind(t *testing.T) {
	for seed := uint64(1); seed <= 60; seed++ {
		rng := rand.New(rand.NewPCG(seed, 0))
		s := randomSheet(t, rng)
		for range 40 {
			a := randomArea(rng, s)
			var want []int
			for i, c := range s.All() {
				if a.Contains(c.Row, c.Col) {
					want = append(want, i)
				}
			}
			if got := slices.Collect(s.Area(a)); !slices.Equal(got, want) {
				t.Fatalf("seed %d: Area(%v) = %v, want %v", seed, a, got, want)
			}
			i, ok := s.Find(a.Row1, a.Col1)
			j := slices.IndexFunc(s.cells, func(c record) bool { return int(c.row) == a.Row1 && int(c.col) == a.Col1 })
			if ok != (j >= 0) || ok && i != j {
				t.Fatalf("seed %d: Find(%d, %d) = %d, %v, want %d", seed, a.Row1, a.Col1, i, ok, j)
			}
		}
	}
}

func randomArea(rng *rand.Rand, s *Sheet) Area {
	row, col := 1+rng.IntN(80), 1+rng.IntN(80)
	if s.Len() > 0 && rng.IntN(2) == 0 {
		c := s.Cell(rng.IntN(s.Len()))
		row, col = c.Row, c.Col
	}
	a := Area{row, col, min(MaxRow, row+rng.IntN(50)), min(MaxCol, col+rng.IntN(10))}
	switch rng.IntN(4) {
	case 0:
		a.Row1, a.Row2 = 1, MaxRow
	case 1:
		a.Col1, a.Col2 = 1, MaxCol
	}
	return a
}

func TestAreaStops(t *testing.T) {
	s := mustRead(t, oneSheet(strings.Repeat(`<row><c/><c/></row>`, 50))).Sheets[0]
	for _, a := range []Area{{1, 1, 50, 2}, {1, 1, 2, 50}} {
		n := 0
		for range s.Area(a) {
			if n++; n == 3 {
				break
			}
		}
		if n != 3 {
			t.Errorf("%v: %d cells", a, n)
		}
	}
	if _, ok := s.At(0, 0); ok {
		t.Error("a cell in row 0")
	}
}

func TestSheetByName(t *testing.T) {
	p := oneSheet("")
	p["xl/workbook.xml"] = strings.Replace(p["xl/workbook.xml"], "Sheet1", "Größe Straße K", 1)
	w := mustRead(t, p)
	for name, want := range map[string]bool{"Größe Straße K": true, "GRÖSSE": false, "gröSSe strasse k": false, "GRÖßE STRAßE \u212a": true, "": false} {
		if _, ok := w.Sheet(name); ok != want {
			t.Errorf("Sheet(%q) = %v", name, ok)
		}
	}
}

func TestIsFormula(t *testing.T) {
	s := mustRead(t, oneSheet(`<row><c><v>1</v></c><c><f>A1</f></c><c><f t="array" ref="C1:D1">A1</f></c><c><v>1</v></c></row>`)).Sheets[0]
	for i, want := range []bool{false, true, true, true} {
		if c := s.Cell(i); c.IsFormula() != want {
			t.Errorf("%v: IsFormula is %v", c, !want)
		}
	}
}

// TestParts checks that digests are of the inflated content.
func TestParts(t *testing.T) {
	p := oneSheet(`<row><c/></row>`)
	w := mustRead(t, p)
	if len(w.Parts) != len(p) {
		t.Errorf("%d parts of %d", len(w.Parts), len(p))
	}
	q := oneSheet(`<row><c></c></row>`)
	changed := 0
	for i, part := range mustRead(t, q).Parts {
		if part.Size != int64(len(q[part.Name])) {
			t.Errorf("%s: size %d", part.Name, part.Size)
		}
		if part.SHA256 != w.Parts[i].SHA256 {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("%d parts have another digest", changed)
	}
}
