package sheet

import (
	"bytes"
	"reflect"
	"testing"

	"winnow/internal/sheet/formula"
	"winnow/internal/sheet/xlsx"
)

// emptyBook has one sheet and no names.
func emptyBook() *book { return newBook("b.xlsx", "b.xlsx", &xlsx.Workbook{}, nil) }

// TestContentDoesNotDependOnPlace checks that a formula which moves with what it reads keeps its encoding.
func TestContentDoesNotDependOnPlace(t *testing.T) {
	b := emptyBook()
	at := func(text string, row, col int) []byte {
		return b.encodeFormula(text, formula.Cell{Sheet: "S", Row: row, Col: col}, formula.Offset{})
	}
	if !bytes.Equal(at("A1+$B$2*SUM(A1:B3)", 5, 3), at("B3+C4*SUM(B3:C5)", 7, 4)) {
		t.Error("a moved formula has another encoding")
	}
	if bytes.Equal(at("A1", 5, 3), at("A1", 6, 3)) {
		t.Error("a formula that reads another distance has the same encoding")
	}
	if bytes.Equal(at("SUM(A1:A3)", 5, 1), at("SUM(A1:A4)", 5, 1)) {
		t.Error("an area that grew has the same encoding")
	}
	if !bytes.Equal(at("SUM(A:A)", 5, 2), at("SUM(A:A)", 9, 2)) {
		t.Error("a whole column stays where it is when its reader moves down")
	}
	if bytes.Equal(at("\"5\"", 1, 1), at("5", 1, 1)) {
		t.Error("text and number have the same encoding")
	}
	if got := at("1+", 1, 1); got[0] != 'o' {
		t.Errorf("a formula that cannot be read: %q", got)
	}
}

// TestConstants checks that a number is compared as the number that is computed with, and everything else as it stands.
func TestConstants(t *testing.T) {
	b, s := emptyBook(), &xlsx.Sheet{Name: "S"}
	enc := func(k xlsx.Kind, v string) string {
		return string(b.encodeCell(s, xlsx.Cell{Row: 1, Col: 1, Kind: k, Value: v}))
	}
	for _, pair := range [][2]string{{"0.1", "0.10000000000000001"}, {"1", "1.0"}, {"1200", "1.2E3"}} {
		if enc(xlsx.Number, pair[0]) != enc(xlsx.Number, pair[1]) {
			t.Errorf("%s and %s are the same number", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{enc(xlsx.Number, "1"), enc(xlsx.Text, "1")}, {enc(xlsx.Number, "1"), enc(xlsx.Bool, "1")},
		{enc(xlsx.Number, "0.1"), enc(xlsx.Number, "0.10000000000000002")}, {enc(xlsx.Text, "1.0"), enc(xlsx.Text, "1")},
		{enc(xlsx.Number, "16"), enc(xlsx.Number, "0x10")}, {enc(xlsx.Number, "1"), enc(xlsx.Number, " 1")}} {
		if pair[0] == pair[1] {
			t.Errorf("%q stands for two contents", pair[0])
		}
	}
}

func TestPopulationRoundTrip(t *testing.T) {
	cells := []offset{{0, 0}, {0, 2}, {3, 1}, {1048575, 16383}}
	got, err := decodePopulation(encodePopulation(1048576, 16384, cells))
	if err != nil || !reflect.DeepEqual(got, cells) {
		t.Errorf("%v, %v", got, err)
	}
	if bytes.Equal(encodePopulation(2, 1, nil), encodePopulation(1, 2, nil)) {
		t.Error("areas of different form have the same population")
	}
}

// FuzzBodies feeds the decoders arbitrary bodies.
func FuzzBodies(f *testing.F) {
	b := emptyBook()
	f.Add(b.encodeFormula("IF(A1>rate,SUM('x y'!A:B),\"q\")", formula.Cell{Sheet: "S", Row: 9, Col: 9}, formula.Offset{}))
	f.Add(encodePopulation(3, 3, []offset{{0, 1}, {2, 2}}))
	f.Fuzz(func(t *testing.T, body []byte) {
		if c, err := decodeContent(body); err != nil && !reflect.DeepEqual(c, content{}) {
			t.Fatal("an error with a result")
		}
		if cells, err := decodePopulation(body); err != nil && cells != nil {
			t.Fatal("an error with a result")
		}
	})
}
