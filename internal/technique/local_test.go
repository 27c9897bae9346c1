package technique

import (
	"errors"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

// bodies has one recorded body.
type bodies map[digest.Digest][]byte

func (b bodies) Body(d digest.Digest) ([]byte, bool, error) {
	body, ok := b[d]
	return body, ok, nil
}

// TestLocal checks which uses a local judge finds touched, and that a pair of versions is compared once.
func TestLocal(t *testing.T) {
	f := rts.Entity{Kind: "func", Name: "f"}
	old := digest.OfString("old")
	compared := 0
	var fault error
	l := &Local{
		Now: func(e rts.Entity) ([]byte, bool) { return []byte("new"), e == f },
		Old: bodies{old: []byte("old")}, Harmless: "not covered",
		Compare: func(before, now []byte) (*Danger, error) {
			compared++
			d := &Danger{}
			d.Add(3, []string{string(before), string(now)})
			d.Add(3, []string{"another way"})
			return d, fault
		},
	}
	for _, c := range []struct {
		name     string
		use      rts.Use
		selected bool
	}{
		{"covered", rts.Use{Entity: f, Digest: old, Entries: []uint32{1, 3}}, true},
		{"not covered", rts.Use{Entity: f, Digest: old, Entries: []uint32{1, 2}}, false},
		{"nothing covered", rts.Use{Entity: f, Digest: old, Entries: []uint32{}}, false},
		{"whole", rts.Use{Entity: f, Digest: old}, true},
		{"body not recorded", rts.Use{Entity: f, Digest: digest.OfString("lost"), Entries: []uint32{1}}, true},
		{"gone", rts.Use{Entity: rts.Entity{Kind: "func", Name: "g"}, Digest: old, Entries: []uint32{1}}, true},
	} {
		reasons, harmless, err := l.Judge(Trace{Stale: []Stale{{Use: c.use, Now: digest.OfString("new")}}})
		if err != nil || (len(reasons) > 0) != c.selected || len(reasons)+len(harmless) != 1 {
			t.Errorf("%s: %v, %v, %v", c.name, reasons, harmless, err)
		}
		if c.name == "covered" && (len(reasons[0].Path) != 2 || reasons[0].Path[0] != "old") {
			t.Errorf("path %v", reasons[0].Path)
		}
	}
	if compared != 1 {
		t.Errorf("one pair of versions was compared %d times", compared)
	}
	fault = errors.New("cannot be read")
	l.known = nil
	if reasons, _, err := l.Judge(Trace{Stale: []Stale{{Use: rts.Use{Entity: f, Digest: old}}}}); !errors.Is(err, fault) || reasons != nil {
		t.Errorf("an error must reach the engine: %v, %v", reasons, err)
	}
}
