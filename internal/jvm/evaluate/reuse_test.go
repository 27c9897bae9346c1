package main

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

func TestCoverageIsWrittenAsItIsRead(t *testing.T) {
	want := coverage{"one": {"p/A\tm()V", "p/B\tn()V"}, "two": {"p/B\tn()V"}, "none": {}}
	file := filepath.Join(t.TempDir(), "c.gz")
	if err := want.write(file); err != nil {
		t.Fatal(err)
	}
	got, err := readCoverage(file)
	if err != nil || !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func TestChangedClasses(t *testing.T) {
	old := bodies{"p/A\t(class)": {"1"}, "p/A\tm()V": {"1"}, "p/B\t(class)": {"1"}, "p/I\t(interface)": {"1"}, "module-info\t(class)": {"1"}}
	for _, test := range []struct {
		name   string
		change bodies
		want   []string
		wide   bool
	}{
		{"nothing", bodies{}, nil, false},
		{"a method only in the listing", bodies{"p/A\tm()V": {"2"}}, nil, false},
		{"a class", bodies{"p/A\t(class)": {"2"}}, []string{"p/A"}, false},
		{"a new class", bodies{"p/C\t(class)": {"2"}}, []string{"p/C"}, false},
		{"a class that is gone", bodies{"p/B\t(class)": nil}, []string{"p/B"}, false},
		{"a second class of the same name", bodies{"p/B\t(class)": {"1", "2"}}, []string{"p/B"}, false},
		{"an interface", bodies{"p/I\t(interface)": {"2"}}, []string{"p/I"}, true},
		{"a new interface", bodies{"p/J\t(interface)": {"2"}}, []string{"p/J"}, true},
		{"the module", bodies{"module-info\t(class)": {"2"}}, []string{"module-info"}, true},
	} {
		new := maps.Clone(old)
		maps.Copy(new, test.change)
		got, wide := changedClasses(old, new)
		if !slices.Equal(sorted(got), test.want) || wide != test.wide {
			t.Errorf("%s: %v, %v; want %v, %v", test.name, sorted(got), wide, test.want, test.wide)
		}
	}
}

func TestHarmless(t *testing.T) {
	for file, want := range map[string]bool{
		"src/main/java/p/A.java": true, "src/test/kotlin/A.kt": true, "README.md": true, "src/changes/changes.xml": true, "RELEASE-NOTES.txt": true,
		"pom.xml": false, "m/pom.xml": false, "src/test/resources/A.java": false, "src/test/resources/a.txt": false, "src/main/p/a.properties": false, ".mvn/maven.config": false,
	} {
		if got := harmless(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}

func TestPriorWithout(t *testing.T) {
	p := prior{
		coverage{"1": {"p/A\tm()V"}, "2": {"p/B\tm()V"}, "3": {"p/A\tm()V", "p/C\tm()V"}},
		map[string][]string{"1": {"ATest"}, "2": {"BTest"}, "3": {"BTest", "CTest"}},
	}
	for _, test := range []struct {
		changed string
		want    []string
	}{
		{"p/D", []string{"ATest", "BTest", "CTest"}},
		{"p/A", nil},
		{"p/B", []string{"ATest", "CTest"}},
		{"p/C", []string{"ATest"}},
	} {
		got := p.without(map[string]bool{test.changed: true})
		if !slices.Equal(sorted(got.tests()), test.want) {
			t.Errorf("%s: %v, want %v", test.changed, sorted(got.tests()), test.want)
		}
		for session := range got.sessions {
			if !slices.Equal(got.covered[session], p.covered[session]) {
				t.Errorf("%s: session %s has %v", test.changed, session, got.covered[session])
			}
		}
	}
}

func TestClassNames(t *testing.T) {
	got := classNames(map[string]bool{"core!p.ATest": true, "p.BTest": true, "other!p.ATest": true})
	if want := []string{"p.ATest", "p.BTest"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAdjust(t *testing.T) {
	p := quick
	if err := p.adjust(-1, -1); err != nil || p != quick {
		t.Errorf("nothing given: %v, %v", p, err)
	}
	if err := p.adjust(5, 0); err != nil || p.revisions != 5 || p.mutants != 0 {
		t.Errorf("both given: %v, %v", p, err)
	}
	for _, bad := range [][2]int{{11, 1}, {-2, 1}, {1, -2}} {
		if err := p.adjust(bad[0], bad[1]); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}
