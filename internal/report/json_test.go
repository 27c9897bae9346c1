package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winnow/internal/rts"
)

var quoted = regexp.MustCompile("`([^`]*)`")

// names returns the quoted names of a text, without brackets.
func names(text string) []string {
	var all []string
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		all = append(all, strings.TrimSuffix(m[1], "[]"))
	}
	return all
}

// documented returns the fields that docs/json.md has for each object; the outermost one is "".
func documented(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	doc, _, ok := strings.Cut(string(text), "## Reason codes")
	if !ok {
		t.Fatal("docs/json.md has no section of reason codes")
	}
	fields := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\| (.*) \\|$").FindAllStringSubmatch(doc, -1) {
		of := names(row[1])
		fields[""] = append(fields[""], of...)
		switch of[0] {
		case "totals", "modules", "changes", "tests", "shadow", "repeated":
			fields[of[0]] = names(row[2])
		}
	}
	sentence := func(start, end string) []string {
		_, rest, ok := strings.Cut(doc, start)
		rest, _, ended := strings.Cut(rest, end)
		if !ok || !ended {
			t.Fatalf("docs/json.md does not say %q … %q", start, end)
		}
		return names(rest)
	}
	fields["reason"] = sentence("A reason has ", ". A proof")
	fields["proof"] = append(sentence("A proof has ", "`differences[]`"), "differences")
	fields["difference"] = sentence("`differences[]` (", ")")
	fields["missed"] = sentence("A miss has ", ", which has ")
	fields["recorded"] = sentence("`recorded`, which has ", ".")
	// The row of modules names the verdict that has a reason.
	fields["modules"] = slices.DeleteFunc(fields["modules"], func(f string) bool { return f == string(rts.Full) })
	return fields
}

// found collects the fields that occur in each object.
type found map[string]map[string]bool

func (f found) object(kind string, v any) {
	if f[kind] == nil {
		f[kind] = map[string]bool{}
	}
	for name, value := range v.(map[string]any) {
		f[kind][name] = true
		of := map[string]string{
			"totals": "totals", "modules": "modules", "changes": "changes", "tests": "tests", "why": "reason", "reasons": "reason", "proof": "proof",
			"differences": "difference", "shadow": "shadow", "repeated": "repeated", "missed": "missed", "recorded": "recorded",
		}[name]
		switch value := value.(type) {
		case map[string]any:
			f.object(of, value)
		case []any:
			for _, x := range value {
				if _, isObject := x.(map[string]any); isObject {
					f.object(of, x)
				}
			}
		}
	}
}

func asJSON(t *testing.T, r *Run) map[string]any {
	t.Helper()
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestJSONIsDocumented checks that the fields that occur in the situations are those that docs/json.md describes, both ways.
func TestJSONIsDocumented(t *testing.T) {
	all := found{}
	for _, r := range situations() {
		all.object("", asJSON(t, r))
	}
	want := documented(t)
	if len(all) != len(want) {
		t.Errorf("objects %v, want %v", slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(want)))
	}
	for kind, fields := range want {
		slices.Sort(fields)
		if got := slices.Sorted(maps.Keys(all[kind])); !slices.Equal(got, fields) {
			t.Errorf("object %q has the fields\n%v\ndocs/json.md has\n%v", kind, got, fields)
		}
	}
}

// TestJSONAgrees compares the JSON of each run with the run: figures, lists, reason codes.
func TestJSONAgrees(t *testing.T) {
	for name, r := range situations() {
		v := asJSON(t, r)
		totals := v["totals"].(map[string]any)
		ran, passed := 0, 0
		for _, x := range v["tests"].([]any) {
			switch x.(map[string]any)["outcome"] {
			case nil:
			case "passed":
				ran, passed = ran+1, passed+1
			default:
				ran++
			}
		}
		chosen := len(r.Selection.Selected())
		want := map[string]any{
			"tests": len(r.Selection.Decisions), "selected": chosen, "left_out": len(r.Selection.Decisions) - chosen - len(r.Selection.Stranded()),
			"obsolete": len(r.Selection.Stranded()), "executed": ran, "passed": passed, "recorded": r.Report != nil && r.Report.RecordErr == nil,
		}
		for field, value := range want {
			if fmt.Sprint(totals[field]) != fmt.Sprint(value) {
				t.Errorf("%s: totals.%s is %v, want %v", name, field, totals[field], value)
			}
		}
		if v["schema"] != float64(Schema) || v["command"] != r.Command || v["exit"] != float64(r.Exit) {
			t.Errorf("%s: %v", name, v)
		}
		for _, list := range []string{"modules", "changes", "tests", "obsolete"} {
			if _, ok := v[list].([]any); !ok {
				t.Errorf("%s: %s is %v, want a list, if an empty one", name, list, v[list])
			}
		}
	}
}

// TestJSONTest compares one test object as a whole.
func TestJSONTest(t *testing.T) {
	v := asJSON(t, situations()["exact"])
	got, err := json.Marshal(v["tests"])
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"duration_ms":1,"id":"budget.xlsx#full price","module":"budget.xlsx","outcome":"passed","reasons":[` +
		`{"code":"input-changed","detail":"now Summary!B5","kind":"cell","name":"[budget.xlsx]Summary!B4","path":["Summary!D1","Summary!C1","Summary!B4"]},` +
		`{"code":"input-removed","kind":"file","name":"rates.csv","path":["set-up of Budget","rates.csv"]}],"selected":true},` +
		`{"id":"budget.xlsx#discount","module":"budget.xlsx","proof":{"differences":[{"kind":"cell","name":"[budget.xlsx]Summary!B9",` +
		`"why":"the changed branch was not taken"}],"dirty":true,"inputs":12,"revision":"0123456789abcdef","when":"2024-05-06T07:08:09Z"},"selected":false}]`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestJSONIsReadable: what people compare with a workbook is not written as \u003c.
func TestJSONIsReadable(t *testing.T) {
	var b bytes.Buffer
	if err := situations()["failing"].JSON(&b); err != nil || !strings.Contains(b.String(), `expected 6 <\"&\">`) {
		t.Errorf("%v\n%s", err, &b)
	}
}

func TestJSONWithoutSelection(t *testing.T) {
	v := asJSON(t, &Run{Command: "test", Exit: 3, ExitSays: "x"})
	if v["exit"] != 3.0 || len(v["tests"].([]any)) != 0 {
		t.Errorf("%v", v)
	}
	var b bytes.Buffer
	if err := (&Run{}).JUnit(&b); err != nil || !strings.Contains(b.String(), "<testsuites></testsuites>") {
		t.Errorf("%v\n%s", err, &b)
	}
}

// TestJUnitIsReadBack parses the XML of each run: every test is a case or a property of its suite, and the figures are those of the cases.
func TestJUnitIsReadBack(t *testing.T) {
	for name, r := range situations() {
		var b bytes.Buffer
		if err := r.JUnit(&b); err != nil {
			t.Fatal(err)
		}
		var got junitSuites
		if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, &b)
		}
		if len(got.Suites) != 1 {
			t.Fatalf("%s: %d suites", name, len(got.Suites))
		}
		s := got.Suites[0]
		failures, errs, skipped := 0, 0, 0
		for _, c := range s.Cases {
			switch {
			case c.Failure != nil:
				failures++
			case c.Error != nil:
				errs++
			case c.Skipped != nil:
				skipped++
			}
			took := "0.002"
			if c.Error != nil && strings.HasPrefix(c.Error.Message, "obsolete: ") {
				took = "0.000" // it did not run
			}
			if c.Class != module || c.Time != took {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if s.Name != module || s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errs || s.Skipped != skipped {
			t.Errorf("%s: %+v", name, s)
		}
		if n := len(s.Cases) + len(s.Properties) - 1; n != len(r.Selection.Decisions) {
			t.Errorf("%s: %d cases and properties for %d tests", name, n, len(r.Selection.Decisions))
		}
		if p := s.Properties[0]; p.Name != "winnow.verdict" || p.Value != string(r.Selection.Modules[0].Verdict) {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestJUnitOfFailures(t *testing.T) {
	var b bytes.Buffer
	if err := situations()["failing"].JUnit(&b); err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	s := got.Suites[0]
	if s.Tests != 4 || s.Failures != 1 || s.Errors != 2 || s.Skipped != 1 || s.Time != "0.006" {
		t.Errorf("%+v", s)
	}
	if f := s.Cases[0].Failure; s.Cases[0].Name != "a" || f == nil || f.Message != `D1 is 5, expected 6 <"&">` {
		t.Errorf("%+v", s.Cases[0])
	}
	// What is proven is a property: a dashboard must not show it as skipped.
	if p := s.Properties[1]; len(s.Properties) != 2 || p != (junitProperty{"winnow.proven", "budget.xlsx#e"}) {
		t.Errorf("%+v", s.Properties)
	}
}
