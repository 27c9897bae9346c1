// Package archtest checks the architecture: who may import whom, that safety rules are cited, that packages are described, and that no test
// data is orphaned. The layering is data; see layers.
package archtest

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the module's root, seen from this package.
const root = "../.."

// layers lists every package with the internal packages and the modules that it may import. A package that is not listed is an error: it
// gets a line here when it is born. "test" packages may be imported by tests only.
var layers = map[string]struct {
	imports string
	test    bool
}{
	"cmd/winnow":   {imports: "cli"},
	"examples/try": {imports: "cli excelize"},

	"digest":  {},
	"graph":   {},
	"safety":  {},
	"rts":     {imports: "digest"},
	"vcs":     {},
	"picture": {},
	"vfs":     {imports: "digest rts"},
	"testenv": {test: true},

	"safespace":           {imports: "graph"},
	"technique":           {imports: "digest rts safety"},
	"technique/retestall": {imports: "rts technique"},
	"technique/retest":    {imports: "digest jvm/jig jvm/observed rts technique"},
	"technique/testtube":  {imports: "rts technique"},
	"technique/dejavu":    {imports: "graph rts safespace safety technique"},
	"technique/pythia":    {imports: "graph rts safespace technique"},
	"technique/cells":     {imports: "digest graph rts safespace safety technique"},

	"technique/methods": {imports: "digest jvm/classfile jvm/hierarchy jvm/table rts safety technique"},

	"technique/collected":   {imports: "digest jvm/bytecode jvm/cfg jvm/classfile jvm/observed rts"},
	"technique/ekstazi":     {imports: "jvm/bytecode jvm/observed rts technique technique/collected"},
	"technique/smart":       {imports: "jvm/bytecode jvm/observed rts technique technique/collected"},
	"technique/hyrts":       {imports: "digest jvm/bytecode jvm/canon jvm/classfile jvm/observed rts technique technique/collected"},
	"technique/fineekstazi": {imports: "digest jvm/bytecode jvm/classfile jvm/observed rts technique technique/collected technique/ekstazi"},
	"technique/clover":      {imports: "digest jvm/canon jvm/classfile jvm/observed rts technique technique/collected"},

	"technique/starts": {imports: "jvm/classfile jvm/observed rts technique technique/collected"},
	"technique/jcgeks": {imports: "digest jvm/callgraph jvm/observed jvm/table rts technique technique/collected technique/ekstazi"},

	"technique/techniquetest": {imports: "check/evolve check/pool check/subject jvm/jvmtest jvm/observed", test: true},

	"store/segment":   {imports: "digest rts"},
	"store":           {imports: "digest rts store/segment"},
	"store/memory":    {imports: "digest store store/segment"},
	"store/sqlite":    {imports: "digest store store/segment sqlite"},
	"store/storetest": {imports: "digest rts store store/segment", test: true},

	"engine": {imports: "digest rts safety store store/segment technique"},
	"config": {imports: "digest engine rts vfs toml"},

	"sheet/formula": {},
	"sheet/xlsx":    {},
	"sheet/calc":    {imports: "sheet/formula sheet/xlsx excelize"},
	"sheet":         {imports: "digest rts safety sheet/calc sheet/formula sheet/xlsx technique/cells excelize"},

	"sheet/sheettest": {imports: "excelize", test: true},

	"jvm/bytecode":         {},
	"jvm/cfg":              {imports: "jvm/bytecode jvm/classfile"},
	"jvm/classfile":        {},
	"jvm/classpath":        {imports: "digest"},
	"jvm/hierarchy":        {imports: "jvm/bytecode jvm/classfile"},
	"jvm/canon":            {imports: "digest jvm/bytecode jvm/classfile"},
	"jvm/catalog":          {imports: "digest jvm/canon jvm/classfile"},
	"jvm/instrument":       {imports: "digest jvm/bytecode jvm/cfg jvm/classfile vfs"},
	"jvm/inspect":          {imports: "digest jvm/canon jvm/classfile jvm/classpath"},
	"jvm/agent":            {imports: "digest jvm/classpath jvm/instrument vfs"},
	"jvm/table":            {imports: "digest jvm/bytecode jvm/canon jvm/classfile jvm/classpath jvm/hierarchy vfs"},
	"jvm/project":          {imports: "digest jvm/agent jvm/classpath jvm/instrument jvm/maven jvm/observed jvm/state jvm/table rts safety vfs"},
	"jvm/state":            {imports: "jvm/agent jvm/bytecode jvm/cfg jvm/classfile"},
	"jvm/callgraph":        {imports: "jvm/bytecode jvm/classfile jvm/hierarchy jvm/observed"},
	"jvm/jig/draw":         {imports: "graph jvm/jig jvm/observed"},
	"jvm/jig":              {imports: "digest graph jvm/bytecode jvm/canon jvm/cfg jvm/classfile jvm/hierarchy jvm/observed safespace"},
	"jvm/observed":         {imports: "digest jvm/canon jvm/classfile jvm/classpath jvm/hierarchy"},
	"jvm/mutate":           {imports: "digest jvm/bytecode jvm/canon jvm/classfile"},
	"jvm/surefire":         {},
	"jvm/evaluate":         {imports: "jvm/surefire", test: true},
	"jvm/speed":            {test: true},
	"jvm/fixtures":         {test: true},
	"jvm/agent/build":      {imports: "jvm/jvmtest", test: true},
	"jvm/maven":            {},
	"jvm/maven/build":      {imports: "jvm/jvmtest", test: true},
	"jvm/assemble":         {imports: "jvm/bytecode jvm/classfile"},
	"jvm/jvmtest":          {imports: "testenv", test: true},
	"jvm/jvmtest/asmbench": {imports: "jvm/jvmtest", test: true},
	"jvm/corpus":           {imports: "jvm/bytecode jvm/canon jvm/classfile jvm/classpath jvm/instrument jvm/jvmtest", test: true},

	"synth": {imports: "digest engine graph rts safety store store/memory technique technique/dejavu technique/pythia technique/testtube", test: true},

	"semantics":            {},
	"semantics/minijvm":    {imports: "semantics"},
	"semantics/generate":   {imports: "semantics/minijvm"},
	"semantics/lower":      {imports: "digest jvm/assemble jvm/bytecode jvm/classfile jvm/classpath jvm/maven jvm/project rts safety semantics/generate semantics/minijvm vfs"},
	"semantics/statements": {imports: "semantics semantics/generate semantics/minijvm"},

	"audit":   {imports: "rts"},
	"verify":  {imports: "digest jvm/canon jvm/classfile jvm/classpath jvm/table rts store vfs"},
	"compare": {imports: "check/loss jvm/jig jvm/observed picture"},
	"report":  {imports: "audit engine rts store"},
	"cli": {imports: "audit check check/campaign check/cases check/defects check/evolve check/loss check/pool check/report check/rule check/subject compare config digest engine jvm/classpath jvm/inspect jvm/jig jvm/jig/draw jvm/maven jvm/mutate jvm/observed jvm/project report rts safety semantics/lower semantics/minijvm semantics/statements sheet store store/memory store/sqlite technique technique/cells technique/clover technique/dejavu technique/ekstazi technique/fineekstazi technique/hyrts technique/jcgeks technique/methods technique/pythia " +
		"technique/retest technique/retestall technique/smart technique/starts technique/testtube vcs verify vfs cobra term"},
	"check/evolve":        {},
	"check/evolve/autoep": {imports: "check/evolve check/pool"},
	"check/pool":          {imports: "check/evolve jvm/agent jvm/instrument"},
	"check/rule":          {},

	"check/campaign": {imports: "check/rule digest"},
	"check/subject":  {imports: "check/pool check/rule digest engine jvm/agent jvm/classfile jvm/observed jvm/surefire jvm/table rts safety store store/memory technique technique/methods"},
	"check/report":   {imports: "check/campaign check/rule picture"},
	"check/loss":     {imports: "check/pool"},
	"check/defects":  {},
	"check/cases":    {imports: "check/evolve check/rule"},
	"check":          {imports: "check/campaign check/cases check/defects check/evolve check/evolve/autoep check/loss check/pool check/rule check/subject vcs"},

	"archtest": {test: true},
	"testall":  {},
}

// modules are the direct dependencies, by the short names used in layers.
var modules = map[string]string{
	"github.com/xuri/excelize/v2": "excelize",
	"github.com/BurntSushi/toml":  "toml",
	"github.com/spf13/cobra":      "cobra",
	"golang.org/x/term":           "term",
	"modernc.org/sqlite":          "sqlite",
}

type pkg struct {
	ImportPath, Dir, Doc string
	Imports              []string
	GoFiles              []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages found", len(all))
	}
	return all
}

// short is the name of a package in layers.
func short(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "winnow/"), "internal/")
}

func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range packages(t) {
		name := short(p.ImportPath)
		seen[name] = true
		layer, ok := layers[name]
		if !ok {
			t.Errorf("package %s is not in layers", name)
			continue
		}
		allowed := strings.Fields(layer.imports)
		for _, imp := range p.Imports {
			to, known := target(imp)
			switch {
			case !known:
			case !slices.Contains(allowed, to):
				t.Errorf("%s must not import %s", name, to)
			case layers[to].test && !layer.test:
				t.Errorf("%s imports %s, which is for tests only", name, to)
			}
		}
	}
	for name := range layers {
		if !seen[name] {
			t.Errorf("layers lists %s, which does not exist", name)
		}
	}
}

// target names what an import leads to; the standard library is free for all.
func target(imp string) (string, bool) {
	if strings.HasPrefix(imp, "winnow/") {
		return short(imp), true
	}
	for module, name := range modules {
		if imp == module || strings.HasPrefix(imp, module+"/") {
			return name, true
		}
	}
	if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") {
		return imp, true
	}
	return "", false
}

// TestSideEffects checks that child processes, SQL and rule switches stay where they belong.
func TestSideEffects(t *testing.T) {
	only := map[string][]string{
		"os/exec":      {"vcs", "testenv", "testall", "jvm/jvmtest", "jvm/jvmtest/asmbench", "jvm/maven", "jvm/maven/build", "jvm/evaluate", "jvm/speed", "check/pool", "check/subject", "semantics/lower"},
		"database/sql": {"store/sqlite"},
		"net":          {"jvm/project"}, // the addresses of this machine
		"net/http":     {"jvm/jvmtest"},
		"unsafe":       {"jvm/classfile"}, // names without copying
	}
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			if where, ok := only[imp]; ok && !slices.Contains(where, short(p.ImportPath)) {
				t.Errorf("%s must not import %s", short(p.ImportPath), imp)
			}
		}
	}
	eachFile(t, ".go", func(path, text string) {
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "internal/synth/") || strings.HasPrefix(path, "internal/safety/") {
			return
		}
		if strings.Contains(text, "safety.Without(") {
			t.Errorf("%s switches a safety rule off", path)
		}
	})
}

func TestPackageComments(t *testing.T) {
	for _, p := range packages(t) {
		if short(p.ImportPath) == "archtest" {
			continue // it has only this test
		}
		if len(strings.Fields(p.Doc)) < 4 {
			t.Errorf("%s has no package comment worth the name: %q", short(p.ImportPath), p.Doc)
		}
	}
}

func eachFile(t *testing.T, suffix string, f func(path, text string)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if name := e.Name(); strings.HasPrefix(name, ".") && name != "." && name != ".." && path != root {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, suffix) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		rel, err := filepath.Rel(root, path)
		f(filepath.ToSlash(rel), string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatalf("no file ends in %s", suffix)
	}
}

var (
	ruleLine = regexp.MustCompile(`(?m)^\| (S\d+\.\d+) \|`)
	citation = regexp.MustCompile(`\((S\d+\.\d+)\)`)
	ruleName = regexp.MustCompile(`Rule = "(S\d+\.\d+)"`)
)

// TestCitations checks that every safety rule is cited where it is implemented, and that every citation exists.
func TestCitations(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/safety.md"))
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]int{}
	for _, m := range ruleLine.FindAllStringSubmatch(string(text), -1) {
		rules[m[1]] = 0
	}
	if len(rules) < 20 {
		t.Fatalf("only %d rules found", len(rules))
	}
	eachFile(t, ".go", func(path, text string) {
		if strings.HasPrefix(path, "internal/archtest/") {
			return
		}
		for _, m := range citation.FindAllStringSubmatch(text, -1) {
			if _, ok := rules[m[1]]; !ok {
				t.Errorf("%s cites %s, which docs/safety.md does not have", path, m[1])
			}
			if !strings.HasSuffix(path, "_test.go") {
				rules[m[1]]++
			}
		}
		for _, m := range ruleName.FindAllStringSubmatch(text, -1) {
			if _, ok := rules[m[1]]; !ok {
				t.Errorf("%s names %s, which docs/safety.md does not have", path, m[1])
			}
		}
	})
	for rule, n := range rules {
		if n == 0 {
			t.Errorf("%s is cited nowhere", rule)
		}
	}
}

// TestNoOrphanedTestData checks that every file below a testdata directory is read by a test of its package: its name, its directory or a pattern
// that matches it stands in a test.
func TestNoOrphanedTestData(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(path, "/testdata/") {
			return err
		}
		owner, rest, _ := strings.Cut(path, "/testdata/")
		if strings.HasPrefix(rest, "fuzz/") {
			return nil // read by the fuzz target of the same name
		}
		if !mentioned(t, owner, rest) {
			t.Errorf("%s is read by no test", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages(t) {
		checkFuzzCorpus(t, p.Dir)
	}
}

func mentioned(t *testing.T, owner, rest string) bool {
	t.Helper()
	tests, err := filepath.Glob(filepath.Join(owner, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	dir, ext := filepath.Dir(rest), filepath.Ext(rest)
	top, _, nested := strings.Cut(rest, "/")
	for _, file := range tests {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := string(text)
		if !strings.Contains(s, "testdata") {
			continue
		}
		if strings.Contains(s, filepath.Base(rest)) || strings.Contains(s, "*"+ext) || (dir != "." && strings.Contains(s, dir)) || (nested && strings.Contains(s, `"testdata", "`+top+`"`)) {
			return true
		}
	}
	return false
}

// checkFuzzCorpus checks that a corpus directory belongs to a fuzz target that exists.
func checkFuzzCorpus(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "testdata", "fuzz"))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				names[fn.Name.Name] = true
			}
		}
	}
	for _, e := range entries {
		if !names[e.Name()] {
			t.Errorf("%s: no fuzz target %s", dir, e.Name())
		}
	}
}
