package project

import "testing"

// TestNames: each name leads back to its key, and keys that look alike have different names.
func TestNames(t *testing.T) {
	seen := map[string]string{}
	for key, want := range map[string]string{
		"[engine:junit-jupiter]/[class:p.A]/[method:m()]":                                         "p.A#m()",
		"[engine:junit-jupiter]/[class:p.A$B]/[method:m(int)]":                                    "p.A$B#m(int)",
		"[engine:junit-jupiter]/[class:p.A]/[nested-class:B]/[method:m()]":                        "p.A/B#m()",
		"[engine:junit-jupiter]/[class:p.A]/[test-template:m(int)]":                               "p.A#m(int)[]",
		"[engine:junit-jupiter]/[class:p.A]/[test-factory:m()]":                                   "p.A#m(){}",
		"[engine:junit-jupiter]/[class:p.A]/[method:m(%5BI)]":                                     "p.A#m(%5BI)",
		"[engine:junit-jupiter]/[class:p.A]/[test-factory:m()]/[dynamic-test:#1]":                 "[engine:junit-jupiter]/[class:p.A]/[test-factory:m()]/[dynamic-test:#1]",
		"[engine:junit-platform-suite]/[suite:p.S]/[engine:junit-jupiter]/[class:p.A]":            "[engine:junit-platform-suite]/[suite:p.S]/[engine:junit-jupiter]/[class:p.A]",
		"[engine:junit-jupiter]/[class-template:p.A]/[method:m()]":                                "p.A[]#m()",
		"[engine:junit-jupiter]/[class-template:p.A]/[nested-class:B]/[test-template:m(int)]":     "p.A[]/B#m(int)[]",
		"[engine:junit-jupiter]/[class:p.A]/[nested-class-template:B]/[method:m()]":               "p.A/B[]#m()",
		"[engine:junit-jupiter]/[class-template:p.A]/[class-template-invocation:#1]/[method:m()]": "[engine:junit-jupiter]/[class-template:p.A]/[class-template-invocation:#1]/[method:m()]",
		"[engine:junit-jupiter]/[nested-class:p.A]/[method:m()]":                                  "[engine:junit-jupiter]/[nested-class:p.A]/[method:m()]",
		"[engine:junit-jupiter]/[class:p.A]/[class:B]/[method:m()]":                               "[engine:junit-jupiter]/[class:p.A]/[class:B]/[method:m()]",
		"[engine:jqwik]/[class:p.A]/[property:m]":                                                 "[engine:jqwik]/[class:p.A]/[property:m]",
		"[engine:junit-jupiter]/[class:p.A]/[method:q.Base#m()]":                                  "p.A#q.Base#m()",
		"junit4:m(p.A)":       "p.A#m",
		"junit3:m(p.A)":       "p.A#m:junit3",
		"testng:m(p.A)":       "p.A#m:testng",
		"junit4:m()(p.A)":     "junit4:m()(p.A)",
		"junit4:odd name (p)": "p#odd name ",
		"junit4:":             "junit4:",
		"other:m(p.A)":        "other:m(p.A)",
	} {
		name := nameOf(key)
		if name != want || keyOf(name) != key {
			t.Errorf("%s: name %q, want %q; back %q", key, name, want, keyOf(name))
		}
		if other, twice := seen[name]; twice {
			t.Errorf("%s and %s are both %s", key, other, name)
		}
		seen[name] = key
	}
}

// TestDescribedNames: a name that says that there is no such method leads back to its key, or is not used.
func TestDescribedNames(t *testing.T) {
	for key, want := range map[string]string{
		"junit4:works well(p.A)": "p.A#works well:described", "junit3:made up(p.A$1)": "p.A$1#made up:junit3:described",
		"junit4:m()(p.A)": "", "other:m(p.A)": "", "junit4:m:described(p.A)": "", "[engine:jqwik]/[class:p.A]/[property:m]": "",
	} {
		if got := describedName(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

func TestClassOf(t *testing.T) {
	for name, want := range map[string][2]string{
		"p.A#m()": {"p/A", "m"}, "p.A/B#m(int)[]": {"p/A$B", "m"}, "p.A[]/B[]#m(int)[]": {"p/A$B", "m"}, "p.A#m:testng": {"p/A", "m"}, "A#m": {"A", "m"},
		"p.A#q.Base#m()": {"p/A", "m"}, "p.A#one %2B one()": {"p/A", "one + one"}, "p.A#works well:described": {"p/A", ""}, "p.A#odd:junit3:described": {"p/A", ""}, "[engine:x]/[class:p.A]": {}, "junit4:x": {},
	} {
		if class, method := classOf(name); class != want[0] || method != want[1] {
			t.Errorf("%s: %q %q, want %q", name, class, method, want)
		}
	}
}

func TestScope(t *testing.T) {
	for _, s := range []scope{"", "core", "a/b@it"} {
		for _, local := range []string{"p/A", "FooTest$works!$1", "a#b"} {
			name := s.name(local)
			if back, ok := s.local(name); !ok || back != local {
				t.Errorf("%q in %q: %q comes back as %q", local, s, name, back)
			}
			for _, other := range []scope{"", "core", "a/b@it", "cor"} {
				if _, ok := other.local(name); ok != (other == s) {
					t.Errorf("%q belongs to %q: %v", name, other, ok)
				}
			}
		}
	}
}

// TestKinds: the kind of test that a name stands for, and whether it has parameters.
func TestKinds(t *testing.T) {
	for name, want := range map[string][2]string{
		"p.A#m":            {"junit4", ""},
		"p.A#m:junit3":     {"junit3", ""},
		"p.A#m:testng":     {"testng", ""},
		"p.A#m()":          {"method", ""},
		"p.A/B#m(int)":     {"method", "int"},
		"p.A[]/B#m(int)[]": {"test-template", "int"},
		"p.A#m(){}":        {"test-factory", ""},
		"p.A#m:described":  {},
		"[engine:jqwik]/[class:p.A]/[property:m]": {},
	} {
		if kind, parameters := kindOf(name); kind != want[0] || parameters != want[1] {
			t.Errorf("%s: kind %q, parameters %q; want %q", name, kind, parameters, want)
		}
	}
}
