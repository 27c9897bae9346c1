package rts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// constants returns the values of the string constants of the given type that a source file declares, in order.
func constants(t *testing.T, file, typeName string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != typeName {
				t.Errorf("%s: %s has no explicit type", file, spec.Names[0])
				continue
			}
			for _, v := range spec.Values {
				s, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, s)
			}
		}
	}
	if len(values) == 0 {
		t.Fatalf("%s declares no constant of type %s", file, typeName)
	}
	return values
}

func readDoc(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCodesIsTheClosedList(t *testing.T) {
	var listed []string
	for _, c := range Codes {
		listed = append(listed, string(c.Code))
		if c.Says == "" {
			t.Errorf("%s has no sentence", c.Code)
		}
	}
	declared := constants(t, "reason.go", "Code")
	if !slices.Equal(listed, declared) {
		t.Errorf("Codes has\n%v\ndeclared are\n%v", listed, declared)
	}
	slices.Sort(listed)
	if n := len(listed); n != len(slices.Compact(listed)) {
		t.Error("a code is listed twice")
	}
}

func TestDocumentListsCodes(t *testing.T) {
	_, section, ok := strings.Cut(readDoc(t), "## Reason codes\n")
	if !ok {
		t.Fatal("docs/json.md has no section of reason codes")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var got []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(.*?)` \\| (.*?) \\|$").FindAllStringSubmatch(section, -1) {
		got = append(got, row[1]+": "+row[2])
	}
	var want []string
	for _, c := range Codes {
		want = append(want, string(c.Code)+": "+c.Says)
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/json.md has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Every row must have been understood: three lines are the heading of the table.
	if rows := strings.Count(section, "\n|"); rows != len(Codes)+2 {
		t.Errorf("the table has %d lines, of which %d are codes", rows, len(got))
	}
}

var quoted = regexp.MustCompile("`([^`]*)`")

// words returns the quoted words of the line of the document that starts with the given word.
func words(t *testing.T, start string) []string {
	t.Helper()
	m := regexp.MustCompile("(?m)^" + start + ": (.*)$").FindStringSubmatch(readDoc(t))
	if m == nil {
		t.Fatalf("docs/json.md has no line of %s", start)
	}
	var all []string
	for _, w := range quoted.FindAllStringSubmatch(m[1], -1) {
		all = append(all, w[1])
	}
	slices.Sort(all)
	return all
}

func TestDocumentListsVerdicts(t *testing.T) {
	want := slices.Sorted(slices.Values(constants(t, "selection.go", "Verdict")))
	if got := words(t, "Verdicts"); !slices.Equal(got, want) {
		t.Errorf("docs/json.md has verdicts %v, want %v", got, want)
	}
}

func TestDocumentListsOutcomes(t *testing.T) {
	var want []string
	for o := range Outcomes {
		want = append(want, o.String())
	}
	slices.Sort(want)
	if got := words(t, "Outcomes"); !slices.Equal(got, want) {
		t.Errorf("docs/json.md has outcomes %v, want %v", got, want)
	}
}
