package agent

import (
	"strings"
	"testing"
)

// FuzzDetails: an error with nothing, or names without what a JVM adds to them, which are read the same again.
func FuzzDetails(f *testing.F) {
	for _, text := range []string{"7 p.A", "0 p.A$$Lambda$14/0x00", "p.A.m\np.B.<init>()V", "\nB.n(Lp/C;)J"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseReceiver(text)
		if err != nil && r != (Receiver{}) || err == nil && (r.Method < 0 || strings.ContainsRune(r.Class, '.')) {
			t.Errorf("receiver %+v, %v", r, err)
		}
		c, err := ParseReflectiveCall(text)
		if err != nil {
			if c != (ReflectiveCall{}) {
				t.Errorf("an error with %+v", c)
			}
			return
		}
		from := ""
		if c.From != (MemberName{}) {
			from = strings.ReplaceAll(c.From.Class, "/", ".") + "." + c.From.Name + c.From.Descriptor
		}
		again, err := ParseReflectiveCall(from + "\n" + strings.ReplaceAll(c.To.Class, "/", ".") + "." + c.To.Name + c.To.Descriptor)
		if err != nil || again != c {
			t.Errorf("%+v was read again as %+v, %v", c, again, err)
		}
	})
}
