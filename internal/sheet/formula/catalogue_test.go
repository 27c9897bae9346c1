package formula

import (
	"slices"
	"strings"
	"testing"
)

func TestCatalogueOrder(t *testing.T) {
	for i, f := range catalogue {
		if i > 0 && catalogue[i-1].Name >= f.Name {
			t.Errorf("%s stands after %s", f.Name, catalogue[i-1].Name)
		}
		if f.Name != upperString(f.Name) {
			t.Errorf("%s is not in upper case", f.Name)
		}
		if strings.Trim(f.Params, "sav|") != "" || strings.Count(f.Params, "|") > 1 {
			t.Errorf("%s has parameters %q", f.Name, f.Params)
		}
		if f.Class&Unknown != 0 {
			t.Errorf("%s is both listed and unknown", f.Name)
		}
	}
}

// TestCatalogueMembers names the functions that must not be taken for pure.
func TestCatalogueMembers(t *testing.T) {
	tests := []struct {
		class Class
		names string
	}{
		{Volatile, "NOW TODAY RAND RANDBETWEEN RANDARRAY OFFSET INDIRECT INFO CELL RTD"},
		{Dynamic, "INDIRECT OFFSET DSUM DGET TABLE"},
		{Environment, "INFO CELL GETPIVOTDATA RTD WEBSERVICE CUBEVALUE CUBESET SUBTOTAL AGGREGATE FORMULATEXT ISFORMULA STOCKHISTORY"},
		{ArrayResult, "FILTER SORT SORTBY UNIQUE SEQUENCE RANDARRAY TRANSPOSE MMULT FREQUENCY LINEST VSTACK"},
		{Lambda, "LET LAMBDA MAP REDUCE SCAN BYROW BYCOL MAKEARRAY"},
		{Positional, "ROW COLUMN CELL INDIRECT SHEET FORMULATEXT"},
		{Unknown, "MYMACRO GET.CELL _XLFN.SUM sum"},
	}
	for _, tt := range tests {
		for name := range strings.FieldsSeq(tt.names) {
			f, ok := Lookup(name)
			if f.Class&tt.class == 0 || f.Name != name || ok != (tt.class != Unknown) {
				t.Errorf("%s: %v (found: %v), want %v", name, f.Class, ok, tt.class)
			}
		}
	}
	for name := range strings.FieldsSeq("SUM IF VLOOKUP INDEX MATCH SUMIFS LOG10 ATAN2 T.DIST.2T IFERROR TEXTJOIN") {
		if f, ok := Lookup(name); !ok || f.Class != Pure {
			t.Errorf("%s: %v (found: %v), want pure", name, f.Class, ok)
		}
	}
}

func TestClassString(t *testing.T) {
	for c, want := range map[Class]string{
		Pure: "pure", Volatile | Dynamic: "volatile, dynamic reference", Lambda: "lambda",
		Environment | ArrayResult: "environment, array result", Positional | Unknown: "positional, unknown",
	} {
		if got := c.String(); got != want {
			t.Errorf("%d: %s, want %s", c, got, want)
		}
	}
}

func TestParams(t *testing.T) {
	tests := []struct{ call, want string }{
		{"SUM(1,1,1)", "aaa"},
		{"ABS(1,1)", "ss"},
		{"SUMIFS(1,1,1,1,1)", "aasas"},
		{"VLOOKUP(1,1,1,1)", "sass"},
		{"IF(1,1,1,1)", "svvs"},
		{"SWITCH(1,1,1)", "ssv"},
		{"SWITCH(1,1,1,1)", "ssvv"},
		{"SWITCH(1,1,1,1,1)", "ssvsv"},
		{"MyMacro(1,1)", "aa"},
		{"[1]!ABS(1)", "a"},
	}
	for _, tt := range tests {
		c := mustParse(t, tt.call).Root.(*Call)
		var got []byte
		for i := range c.Args {
			got = append(got, c.param(c.function(), i))
		}
		if string(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.call, got, tt.want)
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
