package instrument

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
)

// TestBytesStay: what the usual scheme makes of pinned artifacts is what it always made. Plans and packs that are kept somewhere rely on format, which must change if this does.
func TestBytesStay(t *testing.T) {
	h := sha256.New()
	for _, artifact := range []string{"junit-3.8", "junit", "commons-codec"} {
		for _, r := range rewriteAll(t, newRewriter(t, Scheme{}), jarClasses(t, artifact)) {
			fmt.Fprintf(h, "%s %d %d %x\n", r.Name, r.IDs, r.IDOffset, sha256.Sum256(r.Bytes))
		}
	}
	if got, want := fmt.Sprintf("%x", h.Sum(nil)), "7216daba49159638e9e58ab81afa2bde05c6434370c4ded2d29fee60aab7fa93"; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	if got, want := (Scheme{}).Digest().String(), "cca81adaf1e26ae05f8534f66ebba4f1"; got != want {
		t.Errorf("the digest of the scheme is %s, want %s", got, want)
	}
}

// TestInitializersOnly: class initializers have their probe and their window, methods with hooks their probe, and all others are as they were and named.
func TestInitializersOnly(t *testing.T) {
	s := Scheme{InitializersOnly: true, Hooks: FrameworkHooks()}
	initializers, hooked, left := 0, 0, 0
	for _, c := range jarClasses(t, "junit") {
		r, err := newRewriter(t, s).Rewrite(c.data)
		if err != nil {
			t.Fatal(err)
		}
		if err := differences(c.data, r, s); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		hooked += len(r.Hooked)
		for _, p := range r.Probes {
			if p.Name == "<clinit>" && r.Window == WholeWindow {
				initializers++
			} else if !slices.ContainsFunc(r.Hooked, func(h Hooked) bool { return h.Method == p.Method }) {
				t.Errorf("%s.%s has a probe", c.name, p.Name)
			}
		}
		for _, u := range r.Unprobed {
			if u.Reason != Unwanted || u.Name == "<clinit>" {
				t.Errorf("%s.%s: %v", c.name, u.Name, u.Reason)
			}
			left++
		}
	}
	if initializers < 10 || hooked < 3 || left < 1000 {
		t.Errorf("%d initializers, %d hooks, %d methods left as they were", initializers, hooked, left)
	}
}
