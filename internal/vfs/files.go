package vfs

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

// Files is a snapshot of files, directories and variables by portable name. Each is looked at once; what was seen then
// stays the answer.
type Files struct {
	roots Roots
	env   func(string) (string, bool)
	seen  map[rts.Entity]digest.Digest
}

// NewFiles returns a snapshot of the present state.
func NewFiles(roots Roots) *Files {
	return &Files{roots: roots, env: os.LookupEnv, seen: map[rts.Entity]digest.Digest{}}
}

// Fresh returns a snapshot that looks again.
func (f *Files) Fresh() *Files {
	return &Files{roots: f.roots, env: f.env, seen: map[rts.Entity]digest.Digest{}}
}

// Knows tells whether the snapshot is about entities of this kind.
func (f *Files) Knows(k rts.Kind) bool {
	return k == rts.KindFile || k == rts.KindDir || k == rts.KindEnv
}

// Digest returns the digest of a file's content, a directory's sorted names or a variable's value.
func (f *Files) Digest(e rts.Entity) digest.Digest {
	d, ok := f.seen[e]
	if !ok {
		d = f.look(e)
		f.seen[e] = d
	}
	return d
}

func (f *Files) look(e rts.Entity) digest.Digest {
	if e.Kind == rts.KindEnv {
		if v, ok := f.env(e.Name); ok {
			return digest.OfString(v)
		}
		return digest.Absent
	}
	path, ok := f.roots.Local(e.Name)
	if !ok {
		return digest.Unknown
	}
	var d digest.Digest
	var err error
	switch e.Kind {
	case rts.KindFile:
		d, err = fileDigest(path)
	case rts.KindDir:
		d, err = dirDigest(path)
	default:
		return digest.Unknown
	}
	switch {
	case err == nil:
		return d
	case errors.Is(err, fs.ErrNotExist):
		return digest.Absent
	}
	return digest.Unknown
}

func fileDigest(path string) (digest.Digest, error) {
	file, err := os.Open(path)
	if err != nil {
		return digest.Unknown, err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return digest.Unknown, err
	}
	return digest.Of(h.Sum(nil)), nil
}

// dirDigest names the sorted names in a directory; a name that is a directory ends in a slash.
func dirDigest(path string) (digest.Digest, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return digest.Unknown, err
	}
	var b digest.Builder
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		b.AddString(name)
	}
	return b.Sum(), nil
}
