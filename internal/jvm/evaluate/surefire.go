package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/jvm/surefire"
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

// reports are what Surefire wrote in one run: outcomes, and which sessions ran which outermost classes.
type reports struct {
	outcomes outcomes
	sessions map[string]map[string]bool
}

// readReports reads the reports below a project's root.
func readReports(root string) (reports, error) {
	r := reports{outcomes: outcomes{}, sessions: map[string]map[string]bool{}}
	cases, err := surefire.Read(root)
	for _, c := range cases {
		r.outcomes.add(c.Test, string(c.Result))
		session := c.Properties["evaluate.session"]
		if session == "" {
			continue
		}
		if r.sessions[session] == nil {
			r.sessions[session] = map[string]bool{}
		}
		r.sessions[session][outermost(c.Test)] = true
	}
	return r, err
}

// classDirs returns the directories with compiled classes.
func classDirs(root string) ([]string, error) {
	var dirs []string
	err := surefire.EachTarget(root, func(target string) error {
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
