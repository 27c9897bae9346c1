package maven

import (
	"encoding/xml"
	"os"
	"strings"
	"testing"
)

type suite struct {
	Name  string `xml:"name,attr"`
	Cases []struct {
		Class   string    `xml:"classname,attr"`
		Name    string    `xml:"name,attr"`
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
	} `xml:"testcase"`
}

// report returns a line for every test of a report of Surefire.
func report(t testing.TB, dir, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var s suite
	if err := xml.Unmarshal(data, &s); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var lines []string
	for _, c := range s.Cases {
		outcome := "passed"
		switch {
		case c.Failure != nil:
			outcome = "failed"
		case c.Error != nil:
			outcome = "error"
		case c.Skipped != nil:
			outcome = "skipped"
		}
		lines = append(lines, strings.Join([]string{strings.TrimPrefix(path, dir), c.Class, c.Name, outcome}, " "))
	}
	return lines
}
