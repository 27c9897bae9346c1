package calc

import "testing"

func FuzzEval(f *testing.F) {
	for _, s := range []string{"SUM(A1:A3)/0", "IFERROR(LEFT(\"abc\",A1),TRUE)", "VLOOKUP(2,A1:B3,2,FALSE)&\"x\"", "REPT(\"x\",3)", "TEXT(A1,\"0.00\")", "C1", "DATE(2020,A1,1)"} {
		f.Add(s)
	}
	data := workbook(f, "Sheet1!A1 := 1\nSheet1!A2 := 2\nSheet1!A3 := \"x\"\nSheet1!B2 := TRUE\nSheet1!C1 := =C1+1", nil)
	b := open(f, data, Options{MaxArea: 1000})
	f.Fuzz(func(t *testing.T, s string) {
		v, err := eval(b, "Sheet1", s)
		if err != nil && v != (Value{}) {
			t.Fatalf("error %v with the value %v", err, v)
		}
		again, err2 := eval(b, "Sheet1", s)
		if again != v || (err == nil) != (err2 == nil) {
			t.Fatalf("%q: first %v (%v), then %v (%v)", s, v, err, again, err2)
		}
	})
}
