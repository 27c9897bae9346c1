package formula

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// testNames knows Rate, Data and Box.
func testNames(sheet, name string) NameInfo {
	switch {
	case sheet != "":
		return NameInfo{}
	case name == "Rate":
		return NameInfo{Rows: 1, Cols: 1, Fixed: true}
	case name == "Data":
		return NameInfo{Rows: 9, Cols: 1, Fixed: true}
	case name == "Box":
		return NameInfo{Rows: 3, Cols: 3, Fixed: true}
	}
	return NameInfo{}
}

func TestHazards(t *testing.T) {
	seen := map[HazardKind]bool{}
	cases(t, "hazards.txt", func(line int, in string, want []string) {
		var got []string
		for _, h := range Hazards(mustParse(t, in).Root, testNames) {
			got = append(got, fmt.Sprintf("%d %s %s", h.Offset, h.Kind, h.Token))
			seen[h.Kind] = true
			if !strings.HasSuffix(h.Why, ".") || strings.Count(h.Why, ".") != 1 {
				t.Errorf("not one sentence: %q", h.Why)
			}
		}
		if got == nil {
			got = []string{"none"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("hazards.txt:%d: %s\n got %s\nwant %s", line, in, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	})
	for k := range HazardKind(len(hazardKinds)) {
		if !seen[k] {
			t.Errorf("hazards.txt has no case of kind %v", k)
		}
	}
}

func TestPositionDependent(t *testing.T) {
	tests := []struct {
		src  string
		want bool
	}{
		{"A1+$B$2", false},
		{"SUM(A1:A3)*Rate", false},
		{"ROW(A1)+COLUMN(B2)", false},
		{"FORMULATEXT(A1)", false},
		{"SUM(Tab[Col])", false},
		{`CELL("row",A1)`, false},
		{"SUM(Data)+SUM(Sheet2!A:A)", false},
		{"SUM(A1#)", false},
		{"ROW()", true},
		{"1+IF(A1,COLUMN(),2)", true},
		{"SHEET()", true},
		{`CELL("row")`, true},
		{`CELL("row",)`, true},
		{`INDIRECT("A1")`, true},
		{"A1:A3*2", true},
		{"ABS(A:A)", true},
		{"A1:A3", true},
		{"@A1:A3", true},
		{"_xlfn.SINGLE(A1:A3)", true},
		{"SUM(Tab[@Col])", true},
		{"SUM(Tab[[#this row],[Col]])", true},
		{"SUM([Col])", true},
		{"Tab[Col]", true},
		{"A1#", true},
		{"A1:A3 A2:B2", true},
		{"Data*2", true},
		{"Other", true},
		{"SUM(Other)", true},
		{"SUM(Sheet2!Rate)", true},
		{"MyMacro()", true},
		{"[1]!Calc(A1)", true},
	}
	for _, tt := range tests {
		if got := PositionDependent(mustParse(t, tt.src).Root, testNames); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.src, got, tt.want)
		}
	}
	if !PositionDependent(mustParse(t, "Rate").Root, nil) {
		t.Error("a name is taken to be fixed without any knowledge")
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct {
		def  string
		want NameInfo
	}{
		{"Sheet1!$A$1", NameInfo{1, 1, true}},
		{"(Sheet1!$A$1:$B$9)", NameInfo{9, 2, true}},
		{"Sheet1!A$1", NameInfo{1, 1, false}},
		{"Sheet1!$A$1:$A9", NameInfo{9, 1, false}},
		{"Sheet1!$A:$B", NameInfo{MaxRow, 2, true}},
		{"Sheet1!A:B", NameInfo{MaxRow, 2, false}},
		{"0.19", NameInfo{1, 1, true}},
		{"SUM(Sheet1!$A:$A)/Rate", NameInfo{1, 1, true}},
		{"SUM(Sheet1!A1)", NameInfo{1, 1, false}},
		{"ROW()", NameInfo{1, 1, false}},
		{"[1]Data!$A$1", NameInfo{}},
		{"Jan:Mar!$A$1", NameInfo{}},
		{"OFFSET(Sheet1!$A$1,0,0,9)", NameInfo{}},
		{"Sheet1!$A$1,Sheet1!$B$2", NameInfo{}},
		{"Other", NameInfo{}},
	}
	for _, tt := range tests {
		if got := Describe(mustParse(t, tt.def), testNames); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.def, got, tt.want)
		}
	}
}
