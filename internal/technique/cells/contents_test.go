package cells

import (
	"testing"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

// TestTwoContents has a trace that read A1 with two contents, because it was edited meanwhile: one is what A1 is now, the other is not.
func TestTwoContents(t *testing.T) {
	now := table{"A1": "3", "B1": "=A1", "q": "B1"}
	for _, other := range []string{"1", "2", "4", "5", "6", "7"} {
		uses := test{query: "q", reads: "B1 A1"}.uses(now)
		uses = rts.SortUses(append(uses, rts.Use{Entity: cell("A1"), Digest: digest.OfString(other)}))
		tr := trace(uses, now)
		reasons, harmless, err := New(&program{now: now}, bodies{table: now, uses: uses}, safety.Rules{}).Judge(tr)
		if err == nil && len(reasons) == 0 {
			t.Errorf("A1 was also read as %s: left out, %v", other, harmless)
		}
	}
}
