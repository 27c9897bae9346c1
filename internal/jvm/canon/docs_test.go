package canon

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"winnow/internal/jvm/classfile"
)

// The document lists exactly the attributes and parts of the code.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../../docs/safety.md")
	if err != nil {
		t.Fatal(err)
	}
	inDocs := map[string]Meaning{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([A-Za-z]+) \| (body|link|reflect|debug|derived|compiler) \|$`).FindAllStringSubmatch(string(text), -1) {
		inDocs[m[1]] = Meaning(m[2])
	}
	if !maps.Equal(inDocs, Attributes) {
		t.Errorf("docs/safety.md lists\n%v\nthe code has\n%v", inDocs, Attributes)
	}
	var listed, want []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-z ]+) \| (link|reflect) \| `).FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, m[1]+" "+m[2])
	}
	for _, p := range parts {
		want = append(want, p.name+" "+string(p.kind))
	}
	if !slices.Equal(listed, want) {
		t.Errorf("docs/safety.md has the parts\n%q\nthe code has\n%q", listed, want)
	}
}

// Every attribute that the reader knows has a meaning: none of the specification makes a class opaque.
func TestKnownAttributesAreListed(t *testing.T) {
	for name := range classfile.Known() {
		if _, ok := Attributes[name]; !ok {
			t.Errorf("%s has no meaning", name)
		}
	}
	if n := len(classfile.Known()); n < 30 {
		t.Errorf("only %d known attributes", n)
	}
}
