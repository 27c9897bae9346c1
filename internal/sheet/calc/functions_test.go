package calc

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryEngineFunctionHasAVerdict reads excelize's own list of what it supports.
func TestEveryEngineFunctionHasAVerdict(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/xuri/excelize/v2").Output()
	must(t, err)
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "calc.go"))
	must(t, err)
	_, list, ok := strings.Cut(string(source), "// Supported formula functions:")
	list, _, ok2 := strings.Cut(list, "func (f *File) CalcCellValue(")
	if !ok || !ok2 {
		t.Fatal("the list of functions is not where it was")
	}
	names := regexp.MustCompile(`(?m)^//\t([A-Z0-9.]+)$`).FindAllStringSubmatch(list, -1)
	count := map[string]int{}
	for _, m := range names {
		fn := functions()[m[1]]
		if fn == nil {
			t.Errorf("%s has no verdict in functions.txt", m[1])
			continue
		}
		count[fn.verdict]++
	}
	t.Logf("of %d functions, %d are trusted, %d computed here, %d refused", len(names), count["trusted"], count["own"], count["refused"])
}

// TestOwnFunctionsExist keeps the table and the code in step.
func TestOwnFunctionsExist(t *testing.T) {
	for name, fn := range functions() {
		bySyntax, byValues := special(name) != nil, formulas[name] != nil
		if (bySyntax != byValues) != (fn.verdict == "own") || byValues != (fn.verdict == "own" && fn.params != "") {
			t.Errorf("%s is %q %q in functions.txt; computed here by its syntax: %v, from values: %v", name, fn.verdict, fn.params, bySyntax, byValues)
		}
		for _, flag := range fn.flags {
			flagName, _, _ := strings.Cut(flag, ":")
			if argumentChecks[flagName] == nil && !strings.Contains(" omit errs trim ascii err zero numbers fraction ", " "+flagName+" ") {
				t.Errorf("%s has the unknown flag %s", name, flag)
			}
		}
	}
}

func TestTrusted(t *testing.T) {
	for name, want := range map[string]bool{"SUM": true, "IF": true, "VLOOKUP": true, "OFFSET": false, "NOW": false, "NOSUCH": false, "NPV": true, "SUBTOTAL": false} {
		if ok, why := Trusted(name); ok != want || ok == (why != "") {
			t.Errorf("Trusted(%s) = %v, %q", name, ok, why)
		}
	}
}

func TestBadTables(t *testing.T) {
	for _, line := range []string{"ABS", "ABS maybe", "ABS refused", "ABS trusted N", "ABS trusted N q", "ABS trusted Q n", "ABS own\nABS own", "SUM trusted M*3 n", "NPV own NM"} {
		if table, err := parseFunctions(line); err == nil || table != nil {
			t.Errorf("%q was accepted", line)
		}
	}
}
