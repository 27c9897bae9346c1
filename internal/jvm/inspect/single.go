package inspect

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classpath"
)

// readSingle reads a class file and its siblings: the class files beside it that belong to the same top-level class.
func (in *Input) readSingle() error {
	in.Kind = KindClass
	dir, base := filepath.Split(in.local)
	src, err := classpath.Open(cmp.Or(dir, "."))
	if err != nil {
		return err
	}
	in.sources = []classpath.Source{src}
	self, err := readBeside(src, base)
	if err != nil {
		in.unreadable = []Unreadable{{Input: in.Path, Error: err.Error()}}
		return nil
	}
	in.single, in.files = self, []*file{self}
	names, err := siblings(cmp.Or(dir, "."), base, simpleName(self.name))
	if err != nil {
		in.unlisted = err
		return nil
	}
	for _, name := range names {
		f, err := readBeside(src, name)
		switch {
		case err != nil:
			in.unreadable = append(in.unreadable, Unreadable{Input: filepath.Join(filepath.Dir(in.Path), name), Error: err.Error()})
		case canon.Group(f.name) == canon.Group(self.name) && f.name != self.name:
			in.files = append(in.files, f)
		}
	}
	return nil
}

func readBeside(src classpath.Source, name string) (*file, error) {
	entry, ok, err := src.Find(name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return readEntry(other{src, entry})
}

func simpleName(class string) string { return class[strings.LastIndexByte(class, '/')+1:] }

// siblings lists the class files of a directory that belong, by their names, to the top-level class of a class.
func siblings(dir, self, simple string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	top := canon.Group(simple)
	var out []string
	for _, e := range entries {
		class, ok := strings.CutSuffix(e.Name(), ".class")
		if ok && e.Name() != self && canon.Group(class) == top {
			out = append(out, e.Name())
		}
	}
	return out, nil
}
