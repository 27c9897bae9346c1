package main

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An outcome is that of all invocations of a test method: the worst one, and how many there were.
type outcome struct {
	Result string `json:"result"` // passed, skipped, failed, error
	Count  int    `json:"count"`
}

// outcomes has a key "module!class#method" for each test method that a report names. The module is the directory below the root; it and the
// exclamation mark are left out in the root.
type outcomes map[string]outcome

// severity orders results; the worst one counts.
var severity = []string{"passed", "skipped", "failed", "error"}

func (o outcomes) add(key, result string) {
	was, ok := o[key]
	if !ok || slices.Index(severity, result) > slices.Index(severity, was.Result) {
		was.Result = result
	}
	was.Count++
	o[key] = was
}

// cases is the number of test cases in the reports.
func (o outcomes) cases() int {
	n := 0
	for _, v := range o {
		n += v.Count
	}
	return n
}

// ran returns the tests that were not skipped. A test that was kept from running may be reported as skipped.
func (o outcomes) ran() map[string]bool {
	all := map[string]bool{}
	for key, v := range o {
		if v.Result != "skipped" {
			all[key] = true
		}
	}
	return all
}

// failing tells whether some test did not pass.
func (o outcomes) failing() bool {
	for _, v := range o {
		if v.failing() {
			return true
		}
	}
	return false
}

// outermostOf returns the outermost classes, "module!class", of tests.
func outermostOf(tests map[string]bool) map[string]bool {
	all := map[string]bool{}
	for key := range tests {
		all[outermost(key)] = true
	}
	return all
}

// outermost is the outermost class of a key.
func outermost(key string) string {
	class, _, _ := strings.Cut(key, "#")
	module, name, ok := strings.Cut(class, "!")
	if !ok {
		module, name = "", class
	}
	name, _, _ = strings.Cut(name, "$")
	if !ok {
		return name
	}
	return module + "!" + name
}

// failing tells whether a test did not pass.
func (o outcome) failing() bool { return o.Result == "failed" || o.Result == "error" }

// A suite is a report of Surefire.
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

// reports are what Surefire wrote in one run: outcomes, and which sessions ran which outermost classes.
type reports struct {
	outcomes outcomes
	sessions map[string]map[string]bool
}

// readReports reads the reports below a project's root.
func readReports(root string) (reports, error) {
	r := reports{outcomes: outcomes{}, sessions: map[string]map[string]bool{}}
	files, err := reportFiles(root)
	if err != nil {
		return r, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return r, err
		}
		var s suite
		if err := xml.Unmarshal(data, &s); err != nil {
			return r, fmt.Errorf("%s: %w", file, err)
		}
		r.add(moduleOf(root, file), s)
	}
	return r, nil
}

func (r reports) add(module string, s suite) {
	session := ""
	for _, p := range s.Properties {
		if p.Name == "evaluate.session" {
			session = p.Value
		}
	}
	for _, c := range s.Cases {
		class := c.Class
		if class == "" {
			class = s.Name
		}
		result := "passed"
		switch {
		case c.Error != nil:
			result = "error"
		case c.Failure != nil:
			result = "failed"
		case c.Skipped != nil:
			result = "skipped"
		}
		key := module + class + "#" + method(c.Name, class)
		r.outcomes.add(key, result)
		if session != "" {
			if r.sessions[session] == nil {
				r.sessions[session] = map[string]bool{}
			}
			r.sessions[session][outermost(key)] = true
		}
	}
}

// method is the name of the test method in the name of a test case: what stands before arguments and numbers of invocations, which may
// differ from run to run.
func method(name, class string) string {
	if i := strings.IndexAny(name, "([{"); i > 0 {
		name = name[:i]
	}
	if name == "" || name == class {
		return "(class)"
	}
	return strings.TrimSpace(name)
}

func reportFiles(root string) ([]string, error) {
	var files []string
	err := eachTarget(root, func(target string) error {
		found, err := filepath.Glob(filepath.Join(target, "surefire-reports", "TEST-*.xml"))
		files = append(files, found...)
		return err
	})
	return files, err
}

// eachTarget calls a function for the build directory of each module.
func eachTarget(root string, do func(target string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case d.Name() == ".git" || d.Name() == "src":
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

// moduleOf is the prefix of the keys of a module, given a file in its build directory.
func moduleOf(root, file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) != "target" {
			continue
		}
		if rel, err := filepath.Rel(root, filepath.Dir(dir)); err == nil && rel != "." {
			return filepath.ToSlash(rel) + "!"
		}
		return ""
	}
}

// removeReports makes sure that the next reports are those of the next run.
func removeReports(root string) error {
	return eachTarget(root, func(target string) error { return os.RemoveAll(filepath.Join(target, "surefire-reports")) })
}

// classDirs returns the directories with compiled classes.
func classDirs(root string) ([]string, error) {
	var dirs []string
	err := eachTarget(root, func(target string) error {
		for _, name := range []string{"classes", "test-classes"} {
			dir := filepath.Join(target, name)
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				dirs = append(dirs, dir)
			}
		}
		return nil
	})
	return dirs, err
}
