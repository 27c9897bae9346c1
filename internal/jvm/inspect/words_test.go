package inspect

import (
	"slices"
	"testing"
)

func TestMethodText(t *testing.T) {
	for _, c := range []struct{ name, desc, want string }{
		{"m", "()V", "void m()"},
		{"m", "(I[[Ljava/lang/String;J)[Z", "boolean[] m(int, java.lang.String[][], long)"},
		{"<init>", "(D)V", "<init>(double)"},
		{"m", "(Lp/A.m(Ljava/lang/String;I)V.anon#0;)V", "void m(p/A.m(Ljava/lang/String;I)V.anon#0)"},
		{"m", "(Q)V", "m(Q)V"},
		{"m", "(Lp/A)V", "m(Lp/A)V"},
		{"m", "(I", "m(I"},
		{"m", "", "m"},
		{"m", "V", "mV"},
		{"m", "([)V", "m([)V"},
	} {
		if got := methodText(c.name, c.desc); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.name, c.desc, got, c.want)
		}
	}
}

func TestJavaVersion(t *testing.T) {
	for _, c := range []struct {
		major, minor int
		want         string
	}{
		{45, 3, "45.3 (Java 1.1)"}, {48, 0, "48.0 (Java 1.4)"}, {49, 0, "49.0 (Java 5)"}, {61, 0, "61.0 (Java 17)"}, {69, 0xFFFF, "69.preview (Java 25)"},
		{99, 0, "99.0 (newer than Java 25, the newest that is known)"}, {3, 1, "3.1"},
	} {
		if got := javaVersion(c.major, c.minor); got != c.want {
			t.Errorf("%d.%d: %q, want %q", c.major, c.minor, got, c.want)
		}
	}
}

func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"plain → text":    "plain → text",
		"red \x1b[31m":    `red \x1b[31m`,
		"line\nbreak\r":   `line\nbreak\r`,
		"bidi \u202e end": `bidi \u202e end`,
	} {
		if got := harmless(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSpellings(t *testing.T) {
	want := []string{"p/A/B", "p/A$B", "p$A$B"}
	for _, name := range []string{"p.A.B", "p/A/B", "p.A/B"} {
		if got := spellings(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		word string
		want string
	}{{1, "class", "1 class"}, {0, "class", "0 classes"}, {2, "entry", "2 entries"}, {3, "file", "3 files"}} {
		if got := count(c.n, c.word); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
