// Package surefire reads Surefire's reports as a judge does: what ran in a Maven project and how it ended, whoever started it.
//
// A test is "module!class#method": the module is its directory below the root; it and the exclamation mark are left out in the root. All invocations of a method are one test, each a Case. A report that cannot be read is an error.
//
// The product does not use it: it knows its tests from its own records, and only looks into reports for what it was not told (package jvm/project).
package surefire

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A Case is a test case of a report.
type Case struct {
	Test   string
	Result Result
	// Properties are the system properties that the report has.
	Properties map[string]string
}

// A Result is how a test case ended.
type Result string

// The results.
const (
	Passed  Result = "passed"
	Skipped Result = "skipped"
	Failed  Result = "failed"
	Error   Result = "error"
)

// Bad tells whether a case did not pass.
func (r Result) Bad() bool { return r == Failed || r == Error }

// Read reads the reports below a project's root.
func Read(root string) ([]Case, error) {
	var out []Case
	err := EachTarget(root, func(target string) error {
		files, err := filepath.Glob(filepath.Join(target, "surefire-reports", "TEST-*.xml"))
		if err != nil {
			return err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			cases, err := parse(moduleOf(root, target), data)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			out = append(out, cases...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

type suite struct {
	Name       string `xml:"name,attr"`
	Properties []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	} `xml:"properties>property"`
	Cases []struct {
		Name    string    `xml:"name,attr"`
		Class   string    `xml:"classname,attr"`
		Skipped *struct{} `xml:"skipped"`
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
	} `xml:"testcase"`
}

func parse(module string, data []byte) ([]Case, error) {
	var s suite
	if err := xml.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	properties := map[string]string{}
	for _, p := range s.Properties {
		properties[p.Name] = p.Value
	}
	var out []Case
	for _, c := range s.Cases {
		class := c.Class
		if class == "" {
			class = s.Name
		}
		result := Passed
		switch {
		case c.Error != nil:
			result = Error
		case c.Failure != nil:
			result = Failed
		case c.Skipped != nil:
			result = Skipped
		}
		out = append(out, Case{module + Test(class, c.Name), result, properties})
	}
	return out, nil
}

// invocation is what stands behind a class that runs several times, in reports with its number.
var invocation = regexp.MustCompile(`\[\d*\]`)

// Test is the test of a case, within its module. All invocations of its class are one, too.
func Test(class, name string) string {
	class = invocation.ReplaceAllString(class, "")
	return class + "#" + method(name, class)
}

// method is the test method in the name of a case: what stands before arguments and numbers of invocations, which may differ from run to run.
func method(name, class string) string {
	if i := strings.IndexAny(name, "([{"); i > 0 {
		name = name[:i]
	}
	if name == "" || name == class {
		return "(class)"
	}
	return strings.TrimSpace(name)
}

// moduleOf is what the names of the tests of a module begin with.
func moduleOf(root, target string) string {
	if rel, err := filepath.Rel(root, filepath.Dir(target)); err == nil && rel != "." {
		return filepath.ToSlash(rel) + "!"
	}
	return ""
}

// Remove makes sure that the next reports are those of the next run.
func Remove(root string) error {
	return EachTarget(root, func(target string) error { return os.RemoveAll(filepath.Join(target, "surefire-reports")) })
}

// EachTarget calls a function for the build directory of each module.
func EachTarget(root string, do func(target string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case d.Name() == "src" || strings.HasPrefix(d.Name(), ".") && path != root:
			return fs.SkipDir
		case d.Name() != "target":
			return nil
		}
		if err := do(path); err != nil {
			return err
		}
		return fs.SkipDir
	})
}
