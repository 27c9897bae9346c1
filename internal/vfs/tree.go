package vfs

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"winnow/internal/digest"
)

// A Tree is what stat tells about everything below a directory: if it is the same again, no file or directory was added, removed or written meanwhile, as far as file
// systems keep times of change.
type Tree struct {
	// Digest names all paths with their stamps.
	Digest digest.Digest
	Files  int
	// Newest is the latest time of modification. A write at the same moment as a look may leave no trace, so a look counts only some time after it.
	Newest time.Time
}

// Stamps looks at everything below a directory but what skip says, without opening files. Links are not followed.
func Stamps(root string, skip func(path string, e fs.DirEntry) bool) (Tree, error) {
	var t Tree
	var b digest.Builder
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != root && skip(path, e) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		t.Files++
		if info.ModTime().After(t.Newest) {
			t.Newest = info.ModTime()
		}
		b.AddString(path)
		b.Add(stamp(info))
		return nil
	})
	t.Digest = b.Sum()
	return t, err
}

// And is the state of two trees.
func (t Tree) And(other Tree) Tree {
	var b digest.Builder
	t.Digest, t.Files = b.AddString(t.Digest.String()).AddString(other.Digest.String()).Sum(), t.Files+other.Files
	if other.Newest.After(t.Newest) {
		t.Newest = other.Newest
	}
	return t
}

// Stamp names what stat tells about one file; Absent if there is none.
func Stamp(path string) digest.Digest {
	info, err := os.Stat(path)
	switch {
	case err == nil:
		return digest.Of(stamp(info))
	case errors.Is(err, fs.ErrNotExist):
		return digest.Absent
	}
	return digest.Unknown
}

// stamp is size, mode and times of a file. Of a directory only the mode counts: what is in it is looked at by itself.
func stamp(info fs.FileInfo) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(info.Mode()))
	if info.IsDir() {
		return b
	}
	b = binary.BigEndian.AppendUint64(b, uint64(info.Size()))
	b = binary.BigEndian.AppendUint64(b, uint64(info.ModTime().UnixNano()))
	return changeTime(b, info)
}
