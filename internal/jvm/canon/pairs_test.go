package canon_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/jvmtest"
)

// leastPairs guards against a pattern that matches too few files.
const leastPairs = 250

// TestPairs compiles two versions of each small program in testdata/pairs with javac and compares what canon calls different with what the
// pair says.
//
// A pair's comment says what was edited and why the expectation holds. Lines of it that start with a key and a colon are options: javac gives
// arguments of javac for both versions, old and new for one; jdk, old-jdk and new-jdk name the JDK (17 if absent). Files are old/…, new/… and one of
//
//	want            exactly the differences, or "same"
//	want-at-least   differences that must be found; others may be
//
// A line that ends in * stands for every difference that starts like it. A class whose link parts differ looks different to reflection as well, so link
// stands for both and reflect is not written beside it. A file allow lists differences that may be found or not, because both answers are right.
func TestPairs(t *testing.T) {
	files, err := filepath.Glob("testdata/pairs/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < leastPairs {
		t.Fatalf("%d pairs found, want at least %d", len(files), leastPairs)
	}
	compilers := map[string]*jvmtest.Compiler{}
	for jdk, feature := range map[string]int{"17": 17, "25": 25} {
		compilers[jdk] = jvmtest.NewCompiler(t, jvmtest.JDK(t, feature))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			p, err := readPair(file)
			if err != nil {
				t.Fatal(err)
			}
			old, new := p.old.compile(t, compilers), p.new.compile(t, compilers)
			got := differences(t, old, new)
			if p.same() && maps.EqualFunc(old, new, bytes.Equal) {
				t.Error("the class files are equal: the pair shows nothing")
			}
			if problems := p.judge(got); len(problems) > 0 {
				t.Errorf("%s\n%s", p.comment, strings.Join(problems, "\n"))
			}
			t.Logf("found:\n%s", strings.Join(got, "\n"))
			checkProperties(t, old, new, got)
		})
	}
	t.Logf("%d pairs", len(files))
}

// A pair is two versions of a program and what is to be found different.
type pair struct {
	comment     string
	old, new    version
	want, allow []string
	exact       bool
}

// A version is the sources of a program and how they are compiled.
type version struct {
	jdk   string
	args  []string
	files map[string]string
}

var optionLine = regexp.MustCompile(`^([a-z0-9-]+):\s+(.*)$`)

func readPair(file string) (*pair, error) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	p := &pair{old: version{files: map[string]string{}}, new: version{files: map[string]string{}}}
	for _, f := range a.Files {
		if err := p.add(f); err != nil {
			return nil, err
		}
	}
	options := map[string]string{"jdk": "17"}
	for line := range strings.Lines(string(a.Comment)) {
		if m := optionLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			options[m[1]] = m[2]
		} else {
			p.comment += line
		}
	}
	if err := p.set(options); err != nil {
		return nil, err
	}
	return p, p.check()
}

func (p *pair) add(f txtar.File) error {
	side, name, _ := strings.Cut(f.Name, "/")
	switch {
	case side == "old" && name != "":
		p.old.files[name] = string(f.Data)
	case side == "new" && name != "":
		p.new.files[name] = string(f.Data)
	case f.Name == "want" || f.Name == "want-at-least":
		if p.want != nil {
			return fmt.Errorf("a second expectation: %s", f.Name)
		}
		p.want, p.exact = lines(f), f.Name == "want"
	case f.Name == "allow":
		p.allow = lines(f)
	default:
		return fmt.Errorf("file %s has no meaning", f.Name)
	}
	return nil
}

func lines(f txtar.File) []string {
	return strings.Split(strings.TrimSpace(string(f.Data)), "\n")
}

func (p *pair) set(options map[string]string) error {
	p.old.jdk, p.new.jdk = options["jdk"], options["jdk"]
	for _, key := range slices.Sorted(maps.Keys(options)) {
		value := options[key]
		switch key {
		case "jdk":
		case "old-jdk":
			p.old.jdk = value
		case "new-jdk":
			p.new.jdk = value
		case "javac":
			p.old.args = append(p.old.args, strings.Fields(value)...)
			p.new.args = append(p.new.args, strings.Fields(value)...)
		case "old":
			p.old.args = append(p.old.args, strings.Fields(value)...)
		case "new":
			p.new.args = append(p.new.args, strings.Fields(value)...)
		default:
			return fmt.Errorf("option %s has no meaning", key)
		}
	}
	return nil
}

func (p *pair) check() error {
	switch {
	case len(p.old.files) == 0 || len(p.new.files) == 0:
		return fmt.Errorf("a version has no sources")
	case len(p.want) == 0 || p.want[0] == "":
		return fmt.Errorf("nothing is expected")
	case strings.TrimSpace(p.comment) == "":
		return fmt.Errorf("no comment says why")
	case !slices.IsSorted(p.want):
		return fmt.Errorf("the expectation is not sorted")
	}
	for _, w := range p.want {
		if class, ok := strings.CutPrefix(w, "reflect "); ok && slices.Contains(p.want, "link "+class) {
			return fmt.Errorf("%s is said by link already", w)
		}
	}
	return nil
}

func (p *pair) same() bool { return p.want[0] == "same" }

// judge compares the differences found with the expectation.
func (p *pair) judge(got []string) []string {
	var problems []string
	want := p.want
	if p.same() {
		want = nil
	}
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return matches(w, g) }) {
			problems = append(problems, "missing: "+w)
		}
	}
	for _, g := range got {
		expected := func(w string) bool { return matches(w, g) }
		if p.exact && !slices.ContainsFunc(want, expected) && !slices.ContainsFunc(p.allow, expected) {
			problems = append(problems, "not expected: "+g)
		}
	}
	return problems
}

func matches(want, got string) bool {
	if prefix, ok := strings.CutSuffix(want, "*"); ok {
		return strings.HasPrefix(got, prefix)
	}
	return want == got
}

func (v version) compile(t *testing.T, compilers map[string]*jvmtest.Compiler) map[string][]byte {
	t.Helper()
	compiler, ok := compilers[v.jdk]
	if !ok {
		t.Fatalf("no JDK %s", v.jdk)
	}
	classes, err := compiler.Compile(v.files, v.args...)
	if err != nil {
		t.Fatal(err)
	}
	return classes
}

// differences are the printed changes, sorted, without the reflect that link stands for.
func differences(t *testing.T, old, new map[string][]byte) []string {
	t.Helper()
	return differencesOf(t, old, new, func(*canon.Set) {})
}

// differencesOf are the differences of two versions of which something was done to each.
func differencesOf(t *testing.T, old, new map[string][]byte, change func(*canon.Set)) []string {
	t.Helper()
	var sets [2]*canon.Set
	for i, files := range []map[string][]byte{old, new} {
		set, err := canon.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		change(set)
		sets[i] = set
	}
	changes, err := canon.Diff(sets[0], sets[1])
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{}
	for _, c := range changes {
		linked[c.Class] = linked[c.Class] || c.Kind == canon.LinkChanged
	}
	var out []string
	for _, c := range changes {
		if c.Kind != canon.ReflectChanged || !linked[c.Class] {
			out = append(out, c.String())
		}
	}
	slices.Sort(out)
	return out
}

// checkProperties: a version does not differ from itself, and differences seen from the other side are the same ones turned round.
func checkProperties(t *testing.T, old, new map[string][]byte, got []string) {
	t.Helper()
	for _, version := range []map[string][]byte{old, new} {
		if d := differences(t, version, version); len(d) > 0 {
			t.Errorf("a version differs from itself:\n%s", strings.Join(d, "\n"))
		}
	}
	turn := strings.NewReplacer("+ ", "- ", "- ", "+ ")
	back := differences(t, new, old)
	for i := range back {
		back[i] = turn.Replace(back[i])
	}
	slices.Sort(back)
	if !slices.Equal(got, back) {
		t.Errorf("from new to old:\n%s\nfrom old to new:\n%s", strings.Join(back, "\n"), strings.Join(got, "\n"))
	}
}
