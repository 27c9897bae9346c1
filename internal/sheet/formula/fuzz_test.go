package formula

import (
	"os"
	"strings"
	"testing"
)

// FuzzParse feeds texts to both paths: an error means no result, and a success
// means that both agree, that the printed form is stable and that it has the
// same tree and normal form.
func FuzzParse(f *testing.F) {
	for _, file := range []string{"parse.txt", "normal.txt"} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if !strings.HasPrefix(line, "\t") {
				f.Add(strings.TrimSuffix(line, "\n"), int8(0), int8(0))
			}
		}
	}
	f.Add("B:A1:A1048576", int8(-1), int8(1))
	f.Add("foo:'A'!B1", int8(1), int8(0))
	f.Fuzz(func(t *testing.T, src string, rows, cols int8) {
		if len(src) > 2000 {
			return // TestLimits has the long ones; tree takes quadratic time
		}
		at := Cell{Sheet: "Sheet1", Row: 5, Col: 2}
		if s := disagreement(src, at, Offset{int(rows), int(cols)}); s != "" {
			t.Errorf("%q: %s", src, s)
		}
	})
}
