package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// CopyTree copies a directory to a new one: files with their permissions and times, symbolic links as they are. What skip names, relative to the directory, is
// left away; so is what is neither file, directory nor link. A file that disappears meanwhile is left away too. A link to a directory that is not in the tree,
// or is named by an absolute path, is an error: who writes to the copy would write to the original.
func CopyTree(from, to string, skip func(rel string) bool) error {
	from, err := filepath.EvalSymlinks(from)
	if err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path != from {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if skip != nil && skip(filepath.ToSlash(rel)) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if err := errors.Join(shared(from, path, d), copyEntry(path, filepath.Join(to, rel), d)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// shared refuses a link through which a copy would share a directory with the original.
func shared(root, path string, d fs.DirEntry) error {
	if d.Type()&fs.ModeSymlink == 0 {
		return nil
	}
	target, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil
	}
	rel, err := filepath.Rel(root, filepath.Join(filepath.Dir(path), target))
	if filepath.IsAbs(target) || err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s is a link to the directory %s, which a copy would share", path, target)
	}
	return nil
}

func copyEntry(from, to string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	switch {
	case d.IsDir():
		return os.MkdirAll(to, info.Mode().Perm()|0o700) // what is in it must be written
	case d.Type()&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case !d.Type().IsRegular():
		return nil
	}
	return copyFile(from, to, info)
}

func copyFile(from, to string, info fs.FileInfo) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return errors.Join(err, in.Close())
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, in.Close(), out.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

func sortedNames(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }
