package mutate

import "testing"

func TestParse(t *testing.T) {
	for _, m := range []Mutant{
		{Arithmetic, "p/A", "m(I)I", "@12", "iadd -> isub"},
		{Remove, "p/A", "m with blanks (really)()V", "member", "-> nothing"},
		{Remove, "p/\xed\xa0\x80\n", `"m"()V`, "member", "-> nothing"},
		{ConstantValue, "A", "LIMIT:I", "member", "10 -> 11"},
	} {
		got, err := Parse(m.String())
		if err != nil || got != m {
			t.Errorf("%s came back as %+v, error %v", m, got, err)
		}
	}
	if got := (Mutant{Remove, "p/A", "a b()V", "member", "-> nothing"}).String(); got != `remove "p/A.a b()V" member -> nothing` {
		t.Errorf("printed: %s", got)
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{
		"",
		"arithmetic",
		"arithmetics p/A.m(I)I @12 iadd -> isub",
		"arithmetic p/A @12 iadd -> isub",
		"arithmetic p/A.m(I)I @12",
		"arithmetic p/A.m(I)I  @12 iadd -> isub",
		"arithmetic  p/A.m(I)I @12 iadd -> isub",
		`arithmetic "p/A.m(I)I" @12 iadd -> isub`,
		`arithmetic "p/A.m(I)I @12 iadd -> isub`,
		"arithmetic p/A.m(I)I @12 iadd -> isub\n",
	} {
		if m, err := Parse(text); err == nil || m != (Mutant{}) {
			t.Errorf("%q is %+v", text, m)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("arithmetic p/A.m(I)I @12 iadd -> isub")
	f.Add(`remove "p/A.a b()V" member -> nothing`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			if m != (Mutant{}) {
				t.Errorf("error %v and %+v", err, m)
			}
			return
		}
		if m.String() != text {
			t.Errorf("%q came back as %q", text, m)
		}
	})
}
