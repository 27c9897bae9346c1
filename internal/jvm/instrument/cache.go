package instrument

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"winnow/internal/digest"
	"winnow/internal/vfs"
)

// A Cache keeps what was made from contents, in files: one for each content and scheme. Rewriting one class takes no longer than reading a file, so what
// is worth keeping is what was made from a whole jar; the cache does not look into it.
//
// Several processes may use one directory at once: a file appears whole or not at all, and two that write the same write the same bytes. A file
// that is damaged is made anew.
type Cache struct {
	Dir string
}

// A Key names what was made: from which content, by which scheme.
type Key struct{ Content, Scheme digest.Digest }

// Name is a name for the key that can be one of a file.
func (k Key) Name() string {
	return new(digest.Builder).Add(k.Content[:]).Add(k.Scheme[:]).Sum().String()
}

// Get returns what was kept under the key, or makes and keeps it. A value that could be made but not kept is returned with the error.
func (c *Cache) Get(key Key, make func() ([]byte, error)) ([]byte, error) {
	if key.Content == digest.Unknown || key.Scheme == digest.Unknown {
		return nil, errors.New("instrument cache: the key is unknown")
	}
	path := c.path(key)
	if data, ok := readChecked(path, key); ok {
		touch(path)
		return data, nil
	}
	data, err := make()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return data, fmt.Errorf("instrument cache: %w", err)
	}
	if err := vfs.WriteWhole(path, seal(data, key)); err != nil {
		return data, fmt.Errorf("instrument cache: %w", err)
	}
	return data, nil
}

// SealSize is where a value begins in a file of the cache.
const SealSize = sha256.Size

// File returns the path of the file that keeps a value, which is made unless it is there. What is there is not looked at: a reader needs checksums of its own, and calls Get if they do not fit.
func (c *Cache) File(key Key, make func() ([]byte, error)) (string, error) {
	path := c.path(key)
	if _, err := os.Stat(path); err == nil && key.Content != digest.Unknown && key.Scheme != digest.Unknown {
		touch(path)
		return path, nil
	}
	_, err := c.Get(key, make)
	return path, err
}

const suffix = ".winnow"

func (c *Cache) path(key Key) string {
	name := key.Name()
	return filepath.Join(c.Dir, name[:2], name+suffix)
}

// seal puts a checksum of the key and the data in front, so that a file under a wrong name is damaged, too.
func seal(data []byte, key Key) []byte {
	sum := checksum(data, key)
	return append(sum[:], data...)
}

func checksum(data []byte, key Key) [sha256.Size]byte {
	h := sha256.New()
	h.Write(key.Content[:])
	h.Write(key.Scheme[:])
	h.Write(data)
	return [sha256.Size]byte(h.Sum(nil))
}

// readChecked reads a file of the cache. Whatever is wrong with it, the answer is the same: it has to be made anew.
func readChecked(path string, key Key) ([]byte, bool) {
	file, err := os.ReadFile(path)
	if err != nil || len(file) < sha256.Size {
		return nil, false
	}
	data := file[sha256.Size:]
	return data, checksum(data, key) == [sha256.Size]byte(file)
}

// touch marks a file as used for Clean, at most once an hour. If that fails, the file is only forgotten earlier.
func touch(path string) {
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > time.Hour {
		now := time.Now()
		_ = os.Chtimes(path, now, now)
	}
}

// stale is the age at which a temporary file belongs to a process that is no more.
const stale = 24 * time.Hour

type cached struct {
	path string
	size int64
	used time.Time
}

// Clean removes the files that were not used for the longest time until the others take at most limit bytes, and what dead processes left.
func (c *Cache) Clean(limit int64) error {
	files, err := c.files()
	if err != nil {
		return fmt.Errorf("instrument cache: %w", err)
	}
	slices.SortFunc(files, func(a, b cached) int { return b.used.Compare(a.used) })
	var errs []error
	for _, f := range files {
		if keep(f, &limit) {
			continue
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// keep decides about the files, the one used last first. What is older than something that has to go goes, too.
func keep(f cached, limit *int64) bool {
	if filepath.Ext(f.path) != suffix {
		return time.Since(f.used) < stale
	}
	*limit -= f.size
	return *limit >= 0
}

// files lists the files of the cache. One that another process removes meanwhile is none.
func (c *Cache) files() ([]cached, error) {
	var out []cached
	err := filepath.WalkDir(c.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return ignoreMissing(err)
		}
		info, err := e.Info()
		if err == nil && (filepath.Ext(path) == suffix || filepath.Ext(path) == ".tmp") {
			out = append(out, cached{path, info.Size(), info.ModTime()})
		}
		return ignoreMissing(err)
	})
	return out, err
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
