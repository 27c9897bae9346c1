package sheet

import (
	"strings"
	"testing"

	"winnow/internal/sheet/calc"
)

func TestParseSuite(t *testing.T) {
	s, err := ParseSuite("\ufeff# comment\ntest one\n set Inputs!B2 = 120\n\tset 'a = b'!C3 = \"x \"\"y\"\"\"\n  set rate = 5%\r\n expect Summary!B4 = 114 within 0.005\n\ntest two\nexpect total = #n/a\n" +
		"test three\n set A1 = blank\n expect B1 = true\ntest four\n expect B1 = \"far within reach\"\ntest five\n expect B1 = -1e3 within 2 %\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Cases) != 5 {
		t.Fatalf("%d cases", len(s.Cases))
	}
	one := s.Cases[0]
	if one.Line != 2 || one.Query != "Summary!B4" || one.Want != calc.Number(114) || one.Within != 0.005 || one.Percent {
		t.Errorf("one = %+v", one)
	}
	want := []Set{{"Inputs!B2", calc.Number(120)}, {"'a = b'!C3", calc.Text(`x "y"`)}, {"rate", calc.Number(0.05)}}
	for i, w := range want {
		if one.Sets[i] != w {
			t.Errorf("set %d = %+v, want %+v", i, one.Sets[i], w)
		}
	}
	if s.Cases[1].Want != calc.Error("#N/A") || s.Cases[2].Sets[0].Value != (calc.Value{}) || s.Cases[2].Want != calc.Bool(true) {
		t.Errorf("values: %+v", s.Cases[1:3])
	}
	if s.Cases[3].Want != calc.Text("far within reach") || s.Cases[3].Within >= 0 {
		t.Errorf("a text with the word within: %+v", s.Cases[3])
	}
	if five := s.Cases[4]; five.Want != calc.Number(-1000) || five.Within != 2 || !five.Percent {
		t.Errorf("five = %+v", five)
	}
}

func TestSuiteErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"set A1 = 1", `line 1: "set" comes before the first test`},
		{"test", "line 1: a test needs a name"},
		{"test a\x1b[31m\nexpect A1 = 1", "has a control character"},
		{"test a\ntest b\nexpect A1 = 1", `line 1: test "a" expects nothing`},
		{"test a", `line 1: test "a" expects nothing`},
		{"test a\nexpect A1 = 1\ntest a\nexpect A1 = 1", `line 3: test "a" is already on line 1`},
		{"test a\nexpect A1 = 1\nexpect A2 = 1", "line 3: a test expects one value"},
		{"test a\nset A1 = 1\nset a1 = 2\nexpect A1 = 1", "line 3: a1 is set twice"},
		{"test a\nset A1\nexpect A1 = 1", `line 2: "A1" has no =`},
		{"test a\nset = 1\nexpect A1 = 1", "line 2: a cell is missing before ="},
		{"test a\nset A1 =\nexpect A1 = 1", "line 2: a value is missing after ="},
		{"test a\nexpect A1 = hello", `line 2: "hello" is no value`},
		{"test a\nexpect A1 = 0x10", "is no value"},
		{"test a\nexpect A1 = NaN", "is no value"},
		{"test a\nexpect A1 = \"x", "does not end in a double quote"},
		{"test a\nexpect A1 = \"x\"y\"", "a quote inside is doubled"},
		{"test a\nexpect A1 = #OOPS", "is no error value; known are #NULL!"},
		{"test a\nexpect A1 = 1 within x", `tolerance "x" is not a number`},
		{"test a\nexpect A1 = 1 within -1", "zero or more"},
		{"test a\nexpect A1 = TRUE within 1", "a tolerance is for numbers"},
		{"tset a", `"tset" comes before`},
		{"test a\nexpct A1 = 1", `unknown word "expct"`},
	} {
		s, err := ParseSuite(c.text)
		if err == nil || s != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestAccepts(t *testing.T) {
	tenth, fifth := 0.1, 0.2 // variables: their sum is not the constant 0.3
	number := func(want, within float64, percent bool) Case {
		return Case{Want: calc.Number(want), Within: within, Percent: percent}
	}
	for _, c := range []struct {
		test Case
		got  calc.Value
		want bool
	}{
		{number(0.3, -1, false), calc.Number(tenth + fifth), true},
		{number(1e9, -1, false), calc.Number(1e9 + 100), false},
		{number(1e-9, -1, false), calc.Number(0), false},
		{number(1e-10, -1, false), calc.Number(2e-10), false},
		{number(0, -1, false), calc.Number(tenth + fifth - 0.3), true},
		{number(100, 0, false), calc.Number(100), true},
		{number(0.3, 0, false), calc.Number(tenth + fifth), false},
		{number(100, 1, false), calc.Number(101), true},
		{number(100, 1, false), calc.Number(101.5), false},
		{number(-200, 1, true), calc.Number(-202), true},
		{number(-200, 1, true), calc.Number(-203), false},
		{number(5, -1, false), calc.Text("5"), false},
		{number(0, -1, false), calc.Value{}, false},
		{Case{Want: calc.Text("a")}, calc.Text("A"), false},
		{Case{Want: calc.Error("#N/A")}, calc.Error("#N/A"), true},
		{Case{Want: calc.Error("#N/A")}, calc.Error("#REF!"), false},
	} {
		if got := c.test.accepts(c.got); got != c.want {
			t.Errorf("%v within %v accepts %v: %v", c.test.Want, c.test.Within, c.got, got)
		}
	}
}

func FuzzSuite(f *testing.F) {
	f.Add("test one\n set A1 = 5%\n expect B1 = \"x\" \ntest two\n expect 'a b'!C1 = 1 within 2%\n")
	f.Add("test a\nexpect A1 = #N/A")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSuite(text)
		if err != nil {
			if s != nil {
				t.Fatal("an error with a result")
			}
			return
		}
		names := map[string]bool{}
		for _, c := range s.Cases {
			if c.Name == "" || c.Query == "" || names[c.Name] {
				t.Fatalf("case %+v", c)
			}
			names[c.Name] = true
		}
	})
}
