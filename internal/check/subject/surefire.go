package subject

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/check/rule"
)

// A suite is a report of Surefire.
type suite struct {
	Name  string `xml:"name,attr"`
	Cases []struct {
		Name    string    `xml:"name,attr"`
		Class   string    `xml:"classname,attr"`
		Skipped *struct{} `xml:"skipped"`
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
	} `xml:"testcase"`
}

// readReports returns the tests that ran, "module!class#method", with how they ended: the worst of several invocations counts. What was skipped did not run.
func readReports(root string) (map[string]rule.Outcome, error) {
	out := map[string]rule.Outcome{}
	err := eachReports(root, func(dir string) error {
		files, err := filepath.Glob(filepath.Join(dir, "TEST-*.xml"))
		if err != nil {
			return err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if err := addSuite(out, moduleOf(root, dir), data); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		return nil
	})
	return out, err
}

// moduleOf is the beginning of the names of tests of a module.
func moduleOf(root, reports string) string {
	rel, err := filepath.Rel(root, filepath.Dir(filepath.Dir(reports)))
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel) + "!"
}

func addSuite(out map[string]rule.Outcome, module string, data []byte) error {
	var s suite
	if err := xml.Unmarshal(data, &s); err != nil {
		return err
	}
	for _, c := range s.Cases {
		if c.Skipped != nil {
			continue
		}
		class := c.Class
		if class == "" {
			class = s.Name
		}
		id := module + class + "#" + methodOf(c.Name, class)
		o := out[id]
		o.Failed = o.Failed || c.Failure != nil || c.Error != nil
		out[id] = o
	}
	return nil
}

// methodOf is the test method in the name of a case: what stands before arguments and numbers of invocations.
func methodOf(name, class string) string {
	if i := strings.IndexAny(name, "([{"); i > 0 {
		name = name[:i]
	}
	if name == "" || name == class {
		return "(class)"
	}
	return strings.TrimSpace(name)
}
