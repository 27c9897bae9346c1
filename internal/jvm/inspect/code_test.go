package inspect

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/canon"
)

// body makes a listing of one letter per instruction; a digit behind a letter makes it a branch to that instruction.
func body(text string) *canon.Listing {
	l := &canon.Listing{}
	for i := 0; i < len(text); i++ {
		if text[i] >= '0' && text[i] <= '9' {
			last := &l.Instructions[len(l.Instructions)-1]
			last.Op, last.Targets = bytecode.Goto, []int{int(text[i] - '0')}
			continue
		}
		l.Instructions = append(l.Instructions, canon.Instruction{Op: bytecode.Nop, Operand: text[i : i+1], Digest: digest.OfString(text[i : i+1])})
	}
	return l
}

// edits writes lines as signs and letters.
func edits(lines []CodeLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Op)
		if words := strings.Fields(l.Text); l.Op != "…" {
			b.WriteString(words[1])
		}
	}
	return b.String()
}

func TestCodeDiff(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"abcd", "abcd", ""},
		{"abcdefg", "abcxefg", "… b c-d+x e f…"},
		{"abc", "abxc", " a b+x c"},
		{"abc", "ac", " a-b c"},
		{"", "a", "+a"},
		{"a2bc", "a2bc", ""},
		{"a2bc", "a1bc", "-a+a b c"},  // another target
		{"a2bc", "a3bxc", " a b+x c"}, // the target moved along
		{"a2bcb", "a2bcxb", " b c+x b"},
	} {
		got := edits(codeDiff(body(c.old), body(c.new), false))
		if strings.TrimPrefix(got, "…") != strings.TrimPrefix(c.want, "…") {
			t.Errorf("%s to %s: %q, want %q", c.old, c.new, got, c.want)
		}
	}
}

func TestCodeDiffHandlers(t *testing.T) {
	old, new := body("abc"), body("abc")
	old.Handlers = []canon.Handler{{Start: 0, End: 1, To: 2, Catch: "p/E"}}
	new.Handlers = []canon.Handler{{Start: 0, End: 2, To: 2}}
	var got []string
	for _, l := range codeDiff(old, new, false) {
		if l.Op != " " && l.Op != "…" {
			got = append(got, l.Op+" "+l.Text)
		}
	}
	want := []string{"- instructions 0 to 0: catch p/E at 2", "+ instructions 0 to 1: catch anything at 2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever two bodies are, the lines of an alignment give both back.
func TestAlignmentIsComplete(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	random := func() *canon.Listing {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteByte(byte('a' + r.IntN(4)))
		}
		return body(b.String())
	}
	for range 2000 {
		old, new := random(), random()
		var before, after []string
		for _, l := range align(old, new).lines() {
			if l.Op != "+" {
				before = append(before, l.Text)
			}
			if l.Op != "-" {
				after = append(after, l.Text)
			}
		}
		for _, x := range []struct {
			got  []string
			want *canon.Listing
		}{{before, old}, {after, new}} {
			var want []string
			for _, in := range x.want.Instructions {
				want = append(want, in.String())
			}
			if !slices.Equal(x.got, want) {
				t.Fatalf("seed %d: got %q, want %q", seed, x.got, want)
			}
		}
	}
}

// What is too long to align counts as replaced, and is cut with a count.
func TestCodeDiffLong(t *testing.T) {
	old, new := body(strings.Repeat("ab", 2000)+"x"), body("x"+strings.Repeat("ba", 2000))
	lines := codeDiff(old, new, false)
	last := lines[len(lines)-1]
	if len(lines) != shownLines+1 || last.Op != "…" || !strings.Contains(last.Text, "more lines; --all shows them") {
		t.Errorf("%d lines, last %q", len(lines), last.Text)
	}
	if all := codeDiff(old, new, true); len(all) != 8002 {
		t.Errorf("%d lines with all", len(all))
	}
}
