package digest

import "testing"

func TestUnknownIsTheSameAsNothing(t *testing.T) {
	if Unknown.Same(Unknown) {
		t.Error("Unknown equals itself: an unreadable input would be a proof")
	}
	if !Absent.Same(Absent) {
		t.Error("Absent must equal Absent")
	}
	if OfString("a").Same(OfString("b")) || !OfString("a").Same(OfString("a")) {
		t.Error("contents are not told apart")
	}
}

func TestParts(t *testing.T) {
	var a, b Builder
	if a.AddString("ab").AddString("c").Sum() == b.AddString("a").AddString("bc").Sum() {
		t.Error("part boundaries do not count")
	}
	var empty Builder
	if empty.Sum() == Unknown {
		t.Error("no parts must still have a digest")
	}
}

func TestParseString(t *testing.T) {
	for _, d := range []Digest{Unknown, Absent, OfString("x")} {
		got, err := Parse(d.String())
		if err != nil || got != d {
			t.Errorf("Parse(%s) = %v, %v", d, got, err)
		}
	}
	for _, s := range []string{"", "12", "zz000000000000000000000000000000", OfString("x").String() + "0"} {
		if d, err := Parse(s); err == nil || d != Unknown {
			t.Errorf("Parse(%q) = %v, %v; want an error and Unknown", s, d, err)
		}
	}
}

func TestTruncateAvoidsSpecialValues(t *testing.T) {
	if d := truncate(make([]byte, 32)); d == Unknown || d == Absent {
		t.Error("a content became unknown")
	}
	if d := truncate(append([]byte{1}, make([]byte, 31)...)); d == Absent {
		t.Error("a content became absent")
	}
}
