package safety

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rules returns the rules that safety.go declares.
func rules(t *testing.T) []Rule {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "safety.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all []Rule
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, Rule(s))
		}
		return true
	})
	if len(all) < 20 {
		t.Fatalf("only %d rules found", len(all))
	}
	return all
}

func TestRulesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/safety.md")
	if err != nil {
		t.Fatal(err)
	}
	all := rules(t)
	for _, r := range all {
		if strings.Count(string(text), "\n| "+string(r)+" | ") != 1 {
			t.Errorf("docs/safety.md does not have one line for %s", r)
		}
	}
	slices.Sort(all)
	if n := len(all); n != len(slices.Compact(all)) {
		t.Error("two rules have the same number")
	}
}

func TestZeroValueHoldsEverything(t *testing.T) {
	for _, r := range rules(t) {
		if !(Rules{}).Hold(r) {
			t.Errorf("%s is off", r)
		}
	}
}

func TestWithoutSwitchesOneOff(t *testing.T) {
	all := rules(t)
	for _, off := range all {
		for _, r := range all {
			if got := Without(off).Hold(r); got != (r != off) {
				t.Errorf("without %s: %s holds = %v", off, r, got)
			}
		}
	}
}
