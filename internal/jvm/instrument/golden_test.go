package instrument

import (
	"crypto/sha256"
	"fmt"
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
