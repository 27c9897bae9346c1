package formula

import (
	"slices"
	"strings"
	"testing"
)

func TestCatalogueOrder(t *testing.T) {
	names := strings.Fields(catalogue)
	for i, name := range names {
		if i > 0 && names[i-1] >= name {
			t.Errorf("%s stands after %s", name, names[i-1])
		}
		if name != upperString(name) {
			t.Errorf("%s is not in upper case", name)
		}
	}
	for name := range positional {
		if !slices.Contains(names, name) {
			t.Errorf("%s is positional and not in the catalogue", name)
		}
	}
}

// TestPins names the functions that a formula cannot have without carrying its
// place, and some that must not separate formulas filled down.
func TestPins(t *testing.T) {
	tests := []struct {
		want  pin
		names string
	}{
		{pinRow, "ROW"},
		{pinCol, "COLUMN"},
		{pinAll, "CELL INDIRECT SHEET FORMULATEXT MYMACRO GET.CELL _XLFN.SUM sum"},
		{0, "SUM IF VLOOKUP INDEX MATCH SUMIFS LOG10 ATAN2 T.DIST.2T IFERROR TEXTJOIN ROWS COLUMNS"},
	}
	for _, tt := range tests {
		for name := range strings.FieldsSeq(tt.names) {
			if got := pinOf(name); got != tt.want {
				t.Errorf("%s: pin %b, want %b", name, got, tt.want)
			}
		}
	}
}

func TestCanonical(t *testing.T) {
	tests := []struct {
		raw, marker, name string
		known             bool
	}{
		{"SUM", "", "SUM", true},
		{"sum", "", "SUM", true},
		{"_xlfn.ifs", "_xlfn.", "IFS", true},
		{"_XLFN._xlws.Sort", "_xlfn._xlws.", "SORT", true},
		{"_xlws.SORT", "_xlws.", "SORT", true},
		{"_xlfn.Newer", "", "_XLFN.NEWER", false},
		{"_xlfn.", "", "_XLFN.", false},
		{"MyMacro", "", "MYMACRO", false},
	}
	for _, tt := range tests {
		marker, name, known := canonical(tt.raw)
		if marker != tt.marker || name != tt.name || known != tt.known {
			t.Errorf("%s: %q, %q, %v, want %q, %q, %v", tt.raw, marker, name, known, tt.marker, tt.name, tt.known)
		}
	}
}

// TestWalkOrder checks that Walk meets the nodes in the order of the text and
// can be stopped.
func TestWalkOrder(t *testing.T) {
	f := mustParse(t, `SUM(-A1,(B1%),{1,2})+LAMBDA(x,2)(Rate)`)
	var got []string
	Walk(f.Root, func(n Node) bool {
		if c, ok := n.(*Call); ok {
			got = append(got, c.Name)
			return c.Name != "LAMBDA"
		}
		switch n.(type) {
		case *Reference, *Number, *Name:
			got = append(got, Print(n))
		}
		return true
	})
	if want := []string{"SUM", "A1", "B1", "1", "2", "LAMBDA", "Rate"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
