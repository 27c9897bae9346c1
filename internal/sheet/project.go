package sheet

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/sheet/calc"
	"winnow/internal/sheet/xlsx"
	"winnow/internal/technique/cells"
)

// SuiteSuffix is the ending of files with tests.
const SuiteSuffix = ".tests"

// bookSuffixes are the endings of workbooks, in the order in which they are looked for.
var bookSuffixes = []string{".xlsx", ".xlsm"}

// Find returns the suites below a directory, sorted, relative to it and with slashes. Hidden directories and what ignore names are passed over.
func Find(root string, ignore func(rel string) bool) ([]string, error) {
	var suites []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		hidden := e.IsDir() && rel != "." && strings.HasPrefix(e.Name(), ".")
		switch {
		case hidden || (rel != "." && ignore != nil && ignore(rel)):
			if e.IsDir() {
				return filepath.SkipDir
			}
		case !e.IsDir() && strings.HasSuffix(e.Name(), SuiteSuffix) && !bookIgnored(rel, ignore):
			suites = append(suites, rel)
		}
		return nil
	})
	slices.Sort(suites)
	return suites, err
}

// bookIgnored tells whether the workbook beside a suite is to be ignored.
func bookIgnored(suite string, ignore func(string) bool) bool {
	stem := strings.TrimSuffix(suite, SuiteSuffix)
	return ignore != nil && slices.ContainsFunc(bookSuffixes, func(s string) bool { return ignore(stem + s) })
}

// A Project is the spreadsheets of a directory, as they were when it was opened.
type Project struct {
	books []*book
	by    map[string]*book
	// Rules are the safety rules in force; tests switch one off.
	Rules safety.Rules
}

var _ cells.Program = (*Project)(nil)

// Open reads the given suites and their workbooks.
func Open(root string, suites []string) (*Project, error) {
	p := &Project{by: map[string]*book{}}
	for _, rel := range suites {
		b, err := openBook(root, rel)
		if err != nil {
			return nil, err
		}
		p.add(b)
	}
	return p, nil
}

func (p *Project) add(b *book) {
	b.project = p
	p.books = append(p.books, b)
	p.by[b.path] = b
}

func openBook(root, rel string) (*book, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rel)))
	if err != nil {
		return nil, err
	}
	suite, err := ParseSuite(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rel, err)
	}
	path, err := bookOf(root, rel)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(root, filepath.FromSlash(path))
	wb, err := xlsx.Open(file, xlsx.Limits{})
	if err != nil {
		return nil, err
	}
	return newBook(path, file, wb, suite.Cases), nil
}

// bookOf finds the workbook beside a suite.
func bookOf(root, suite string) (string, error) {
	stem := strings.TrimSuffix(suite, SuiteSuffix)
	var found []string
	for _, suffix := range bookSuffixes {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(stem+suffix))); err == nil {
			found = append(found, stem+suffix)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("%s has no workbook: looked for %s; put the workbook beside it, or remove the tests",
			suite, strings.Join([]string{stem + bookSuffixes[0], stem + bookSuffixes[1]}, " and "))
	}
	return "", fmt.Errorf("%s has two workbooks, %s; rename one", suite, strings.Join(found, " and "))
}

// Modules names the workbooks.
func (p *Project) Modules() []string {
	names := make([]string, len(p.books))
	for i, b := range p.books {
		names[i] = b.path
	}
	return names
}

// Tests returns the tests in the order of the suites.
func (p *Project) Tests() []rts.Test {
	var tests []rts.Test
	for _, b := range p.books {
		for i := range b.cases {
			tests = append(tests, rts.Test{ID: b.testID(i), Module: b.path, Gone: b.gone(&b.cases[i])})
		}
	}
	return tests
}

// gone says why the query of a test can have no value: it stands for nothing, or for a blank cell.
func (b *book) gone(c *Case) string {
	at, err := b.locate(c.Query)
	if err != nil {
		return "its query is gone: " + err.Error()
	}
	for _, s := range c.Sets {
		if set, err := b.locate(s.Ref); err == nil && set == at {
			return ""
		}
	}
	if c.Want == (calc.Value{}) || b.encoded(at) != nil {
		return ""
	}
	return fmt.Sprintf("its query %s is a blank cell", at)
}

func (b *book) testID(i int) rts.TestID { return rts.TestID(b.path + "#" + b.cases[i].Name) }

// File returns the workbook of a module on this machine.
func (p *Project) File(module string) string {
	if b := p.by[module]; b != nil {
		return b.file
	}
	return ""
}

// Digest tells what an entity is now.
func (p *Project) Digest(e rts.Entity) digest.Digest {
	switch e.Kind {
	case rts.KindTool:
		if e.Name == calculator.Name {
			return digest.OfString(calc.Fingerprint())
		}
		return digest.Absent
	case rts.KindTest:
		return p.testDigest(e.Name)
	}
	b, rest, err := p.bookOf(e)
	if err != nil {
		return digest.Unknown
	}
	if b == nil {
		return digest.Absent
	}
	switch e.Kind {
	case KindQuery, KindSet:
		return b.standsFor(rest)
	case KindSettings:
		return b.settings()
	}
	encoded, err := b.now(e.Kind, rest)
	if err != nil {
		return digest.Unknown
	}
	return digestOf(encoded)
}

// calculator is the fingerprint item of every run.
var calculator = rts.Entity{Kind: rts.KindTool, Name: "calculator"}

func (p *Project) testDigest(id string) digest.Digest {
	for _, b := range p.books {
		if name, ok := strings.CutPrefix(id, b.path+"#"); ok {
			for i := range b.cases {
				if b.cases[i].Name == name {
					return b.cases[i].digest()
				}
			}
		}
	}
	return digest.Absent
}

// bookOf returns the workbook that an entity is part of, nil if it is gone.
func (p *Project) bookOf(e rts.Entity) (*book, string, error) {
	path, rest, err := splitEntity(e.Name)
	if err != nil {
		return nil, "", err
	}
	return p.by[path], rest, nil
}

// standsFor names the cell that the reference before the arrow stands for now.
func (b *book) standsFor(rest string) digest.Digest {
	ref, _, _ := strings.Cut(rest, arrow)
	at, err := b.locate(ref)
	if err != nil {
		return digest.Absent
	}
	return digest.OfString(at.String())
}

// now returns the encoding of a cell, an area or a name.
func (b *book) now(k rts.Kind, rest string) ([]byte, error) {
	sheet, what, ok := splitPlace(rest)
	if !ok {
		return nil, fmt.Errorf("%q names no sheet", rest)
	}
	switch k {
	case KindCell:
		row, col, ok := xlsx.ParseCell(what)
		if !ok {
			return nil, fmt.Errorf("%q is no cell", rest)
		}
		return b.encoded(place{sheet, row, col}), nil
	case KindArea:
		a, ok := xlsx.ParseArea(what)
		if !ok {
			return nil, fmt.Errorf("%q is no area", rest)
		}
		return b.encodedArea(sheet, a), nil
	case KindName:
		return b.encodedName(sheet, what), nil
	}
	return nil, fmt.Errorf("unknown kind %q", k)
}
