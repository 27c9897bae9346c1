package jvmtest

import (
	"archive/zip"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestListIsWellFormed(t *testing.T) {
	var total int64
	files := map[string]bool{}
	sum, plain := regexp.MustCompile(`^[0-9a-f]{64}$`), regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	for _, a := range All() {
		if !sum.MatchString(a.SHA256) || a.Size <= 0 || a.Why == "" {
			t.Errorf("%s is not pinned or not explained", a.Name)
		}
		for _, part := range []string{a.Name, a.Group, a.ID, a.Version} {
			if !plain.MatchString(part) {
				t.Errorf("%s: %q cannot be part of a path", a.Name, part)
			}
		}
		if files[a.File()] {
			t.Errorf("two artifacts would be kept as %s", a.File())
		}
		files[a.File()] = true
		total += a.Size
	}
	if all := names(); !slices.IsSorted(all) || len(slices.Compact(all)) != len(artifacts) {
		t.Errorf("the names are not sorted, or one occurs twice: %q", names())
	}
	if total > 80_000_000 {
		t.Errorf("a full download has %d bytes, too many", total)
	}
}

func TestAllIsACopy(t *testing.T) {
	All()[0].Name = "changed"
	if artifacts[0].Name == "changed" {
		t.Error("a caller can change the list")
	}
}

// TestPublicRepository checks on the smallest artifact that the real repository serves what the list says.
func TestPublicRepository(t *testing.T) {
	t.Setenv("WINNOW_ARTIFACTS", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	a := slices.MinFunc(All(), func(a, b Artifact) int { return int(a.Size - b.Size) })
	r, err := zip.OpenReader(Jar(t, a.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if !slices.ContainsFunc(r.File, func(f *zip.File) bool { return strings.HasSuffix(f.Name, ".class") }) {
		t.Errorf("%s has no class", a.Coordinates())
	}
}
