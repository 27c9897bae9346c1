// Package vfs looks at files for selection: portable names for paths, and digests of files, directories and variables.
//
// A portable name is a path relative to a named root, so that records are valid wherever the project, the home or the tools are put:
// "$project/data/rates.csv". A path outside all roots is kept as it is.
//
// Guarantee: what cannot be read has the digest Unknown, what does not exist Absent; no error becomes either a content or an absence.
//
// This package is no file system abstraction: it reads real files.
package vfs

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// A Root is a named place.
type Root struct{ Name, Path string }

// Roots are the named places, the deepest first.
type Roots []Root

// NewRoots returns the roots with a path, cleaned and in the order in which they are tried: a path belongs to the deepest root above it.
func NewRoots(roots ...Root) Roots {
	var out Roots
	for _, r := range roots {
		if r.Path != "" {
			out = append(out, Root{r.Name, filepath.Clean(r.Path)})
		}
	}
	slices.SortStableFunc(out, func(a, b Root) int { return cmp.Compare(len(b.Path), len(a.Path)) })
	return out
}

// Portable returns the portable name of an absolute path, with slashes.
func (rs Roots) Portable(path string) string {
	path = filepath.Clean(path)
	for _, r := range rs {
		if rel, err := filepath.Rel(r.Path, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			if rel == "." {
				return "$" + r.Name
			}
			return "$" + r.Name + "/" + filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
}

// Local returns the path on this machine that a portable name stands for, and false if its root is not known here.
func (rs Roots) Local(name string) (string, bool) {
	if !strings.HasPrefix(name, "$") {
		return filepath.FromSlash(name), true
	}
	root, rest, _ := strings.Cut(name[1:], "/")
	for _, r := range rs {
		if r.Name == root {
			return filepath.Join(r.Path, filepath.FromSlash(rest)), true
		}
	}
	return "", false
}
