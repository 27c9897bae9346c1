package classpath

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"winnow/internal/digest"
)

// tree makes n small files in directories of a hundred.
func tree(t testing.TB, n int) string {
	t.Helper()
	root := t.TempDir()
	for i := range n {
		dir := filepath.Join(root, "com", "example", fmt.Sprintf("p%03d", i/100))
		if i%100 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(treeFile(root, i), fmt.Appendf(nil, "class %d", i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func treeFile(root string, i int) string {
	return filepath.Join(root, "com", "example", fmt.Sprintf("p%03d", i/100), fmt.Sprintf("C%05d.class", i))
}

// ahead returns a table whose clock is an hour ahead, so that all files have settled, and the number of files it opened.
func ahead(t testing.TB, s *Seen) *int {
	t.Helper()
	if runtime.GOOS != "linux" || !reliable(t.TempDir()) {
		t.Skip("needs a file system that keeps stamps")
	}
	opens := new(int)
	s.now = func() time.Time { return time.Now().Add(time.Hour) }
	s.open = func(path string) (*os.File, error) { *opens++; return os.Open(path) }
	return opens
}

func scan(t testing.TB, s *Seen, path string) *Listing {
	t.Helper()
	l, err := s.Scan(path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestScanReadsOnlyWhatChanged counts the files that are opened: all at first, none if nothing changed, a hundred if a hundred did.
func TestScanReadsOnlyWhatChanged(t *testing.T) {
	const n = 20000
	root := tree(t, n)
	var s Seen
	opens := ahead(t, &s)
	first := scan(t, &s, root)
	if *opens != n || len(first.Contents) != n {
		t.Fatalf("first scan: %d opened, %d listed", *opens, len(first.Contents))
	}
	again, err := DecodeSeen(s.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	opens = ahead(t, again)
	if l := scan(t, again, root); *opens != 0 || !slices.Equal(l.Contents, first.Contents) || !l.Digest.Same(first.Digest) {
		t.Errorf("nothing changed: %d opened, digest %v, was %v", *opens, l.Digest, first.Digest)
	}
	for i := 0; i < n; i += n / 100 {
		if err := os.WriteFile(treeFile(root, i), fmt.Appendf(nil, "CLASS %d", i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := scan(t, again, root)
	if *opens != 100 || l.Digest.Same(first.Digest) {
		t.Errorf("100 changed: %d opened", *opens)
	}
	if d := differing(first, l); d != 100 {
		t.Errorf("100 changed: %d contents differ", d)
	}
}

func differing(a, b *Listing) int {
	n := 0
	for i := range a.Contents {
		if a.Contents[i].Digest != b.Contents[i].Digest {
			n++
		}
	}
	return n
}

func TestScanForgetsWhatIsGone(t *testing.T) {
	root := tree(t, 10)
	var s Seen
	opens := ahead(t, &s)
	scan(t, &s, root)
	if err := os.Remove(treeFile(root, 3)); err != nil {
		t.Fatal(err)
	}
	if l := scan(t, &s, root); len(l.Contents) != 9 || len(s.files) != 9 || *opens != 10 {
		t.Errorf("%d listed, %d remembered, %d opened", len(l.Contents), len(s.files), *opens)
	}
	if l := scan(t, &s, filepath.Join(root, "none")); l.Digest != digest.Absent || l.Contents != nil {
		t.Errorf("missing directory: %+v", l)
	}
}

func TestScanJar(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.jar("x.jar", class("a/B", 1), class("a/B", 2), class("a/C", 3), text("readme", "hi"))
	d.jar("y.jar", class("a/B", 1), class("a/B", 2), class("a/C", 3), text("readme", "hi"))
	x, y := filepath.Join(d.root, "x.jar"), filepath.Join(d.root, "y.jar")
	var s Seen
	opens := ahead(t, &s)
	first := scan(t, &s, x)
	want, _, err := contentDigest(bytes.NewReader(markedClass("a/B", 2)))
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Contents) != 3 || first.Contents[0] != (Content{Entry{Name: "a/B.class", Size: int64(len(markedClass("a/B", 2)))}, want}) {
		t.Errorf("listing %+v", first)
	}
	if len(first.Problems) != 1 || first.Problems[0].Kind != Duplicate {
		t.Errorf("problems %v", first.Problems)
	}
	*opens = 0
	if again := scan(t, &s, x); *opens != 0 || again != first {
		t.Errorf("unchanged jar: %d opened", *opens)
	}
	if copied := scan(t, &s, y); *opens != 1 || copied != first {
		t.Errorf("copy of a known jar: %d opened, listing made again: %v", *opens, copied != first)
	}
	d.jar("x.jar", class("a/B", 1), class("a/B", 4), class("a/C", 3), text("readme", "hi"))
	if l := scan(t, &s, x); differing(first, l) != 1 || l.Digest.Same(first.Digest) {
		t.Errorf("changed jar: %d contents differ", differing(first, l))
	}
}

// Entries of a directory and of a jar with the same bytes have the same digest.
func TestScanDigestsAreContents(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.jar("x.jar", class("a/B", 1))
	d.write("x/a/B.class", markedClass("a/B", 1))
	var s Seen
	jar, dir := scan(t, &s, filepath.Join(d.root, "x.jar")), scan(t, &s, filepath.Join(d.root, "x"))
	if !slices.Equal(jar.Contents, dir.Contents) {
		t.Errorf("jar %v, directory %v", jar.Contents, dir.Contents)
	}
}

// What cannot be read makes the whole unknown, and what can only be seen as a problem is part of the whole.
func TestScanDigestOfOddTrees(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.write("x/a/C.class", nil)
	var s Seen
	plain := scan(t, &s, filepath.Join(d.root, "x")).Digest
	d.link("none", "x/a/B.class")
	dangling := scan(t, &s, filepath.Join(d.root, "x")).Digest
	if plain.Same(dangling) || dangling == digest.Unknown {
		t.Error("a dangling link does not show in the digest")
	}
	d.write("x/a/D.class/file", nil)
	if got := scan(t, &s, filepath.Join(d.root, "x")).Digest; got != digest.Unknown {
		t.Errorf("tree with a directory named like a class: %v, want unknown", got)
	}
}

func BenchmarkScan(b *testing.B) {
	const n = 20000
	root := tree(b, n)
	b.Run("everything", func(b *testing.B) {
		for b.Loop() {
			var s Seen
			scan(b, &s, root)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/file")
	})
	b.Run("nothing", func(b *testing.B) {
		var s Seen
		ahead(b, &s)
		scan(b, &s, root)
		for b.Loop() {
			scan(b, &s, root)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/file")
	})
	b.Run("100", func(b *testing.B) {
		var s Seen
		ahead(b, &s)
		scan(b, &s, root)
		for round := 0; b.Loop(); round++ {
			b.StopTimer()
			for i := 0; i < n; i += n / 100 {
				if err := os.WriteFile(treeFile(root, i), fmt.Appendf(nil, "%d of round %d", i, round), 0o644); err != nil {
					b.Fatal(err)
				}
			}
			b.StartTimer()
			scan(b, &s, root)
		}
	})
	b.Run("load", func(b *testing.B) {
		var s Seen
		ahead(b, &s)
		scan(b, &s, root)
		data := s.Append(nil)
		b.ReportMetric(float64(len(data))/n, "bytes/file")
		for b.Loop() {
			if _, err := DecodeSeen(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
