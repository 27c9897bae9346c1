package table

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/vfs"
)

// A Cache keeps shelves: in the files of a directory, and those of jars also in memory, where all programs of a command share them, as they do the JDK. Several goroutines may
// use it.
type Cache struct {
	dir string // "" keeps no files

	mu   sync.Mutex
	jars map[digest.Digest]*shelf
	jdks map[digest.Digest]*platform
}

// NewCache returns the cache in a directory, "" for one that is forgotten.
func NewCache(dir string) *Cache {
	return &Cache{dir: dir, jars: map[digest.Digest]*shelf{}, jdks: map[digest.Digest]*platform{}}
}

// Close releases the files of JDKs. Programs that use the cache must not be used any more.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, j := range c.jdks {
		errs = append(errs, j.Close())
	}
	clear(c.jdks)
	return errors.Join(errs...)
}

// platform returns the classes of the JDK that is now at a place.
func (c *Cache) platform(home string) (*platform, error) {
	var b digest.Builder
	b.AddString(home)
	for _, name := range []string{"release", "lib/modules"} {
		stamp := vfs.Stamp(filepath.Join(home, filepath.FromSlash(name)))
		b.Add(stamp[:])
	}
	key := b.Sum()
	c.mu.Lock()
	defer c.mu.Unlock()
	if j := c.jdks[key]; j != nil {
		return j, nil
	}
	j, err := openPlatform(home)
	if err != nil {
		return nil, err
	}
	c.jdks[key] = j
	return j, nil
}

func (c *Cache) path(key digest.Digest) string {
	name := key.String()
	return filepath.Join(c.dir, name[:2], name+".shelf")
}

// Ahead reads the shelves of the jars of a program that may soon be opened with this cache, as far as there are any, and looks for some classes in the JDK. What goes wrong, goes
// wrong there too.
func (c *Cache) Ahead(ctx context.Context, o Options, classes []string) {
	j, err := c.platform(o.JDK)
	if err != nil {
		return
	}
	for _, class := range classes {
		if ctx.Err() != nil {
			return
		}
		j.has(class)
	}
	for _, path := range o.ClassPath {
		if ctx.Err() != nil {
			return
		}
		if content, err := o.Seen.Digest(path); err == nil { // a directory has none
			if s := c.jar(jarKey(content, j.feature)); s != nil {
				_ = s.load() // who needs a shelf that is damaged makes it anew
			}
		}
	}
}

// jar returns the shelf of a jar; nil if there is none that can be used.
func (c *Cache) jar(key digest.Digest) *shelf {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.jars[key]
	if s == nil {
		if s = c.get(key); s != nil {
			c.jars[key] = s
		}
	}
	return s
}

// get reads the summary of a shelf; nil if there is none that can be used.
func (c *Cache) get(key digest.Digest) *shelf {
	if c.dir == "" {
		return nil
	}
	s, err := readShelf(c.path(key), key)
	if err != nil {
		return nil // whatever is wrong with it, it has to be made anew
	}
	return s
}

// put keeps a shelf: the file appears whole or not at all.
func (c *Cache) put(s *shelf) error {
	if c.dir == "" {
		return nil
	}
	path := c.path(s.key)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("tables: %w", err)
	}
	if err := vfs.WriteWhole(path, s.encode()); err != nil {
		return fmt.Errorf("tables: %w", err)
	}
	return nil
}
