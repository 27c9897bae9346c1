package instrument

import (
	"fmt"
	"strings"
	"testing"
)

// TestFrameworkHooks finds each row in the jar that it is for.
func TestFrameworkHooks(t *testing.T) {
	hooks := FrameworkHooks()
	sources := map[string][]string{
		"org/junit/platform/launcher": {"junit-platform-launcher"},
		"org/junit/platform/engine":   {"junit-platform-engine"},
		"org/junit/runner":            {"junit"},
		"junit/framework":             {"junit", "junit-3.8"},
		"org/testng":                  {"testng"},
	}
	missing := allRows(hooks)
	for prefix, jars := range sources {
		for _, jar := range jars {
			matched(t, jar, hooks, jarClasses(t, jar), missing, func(class string) bool { return strings.HasPrefix(class, prefix) })
		}
	}
	for row := range missing {
		t.Errorf("no jar has %s", row)
	}
}

// TestJDKHooks finds each row in JDK 17 and in 25, and each alternative in one of them.
func TestJDKHooks(t *testing.T) {
	hooks := JDKHooks()
	missing := allRows(hooks)
	for _, feature := range features {
		matched(t, fmt.Sprint("JDK ", feature), hooks, jdkClasses(t, feature, only("java.base")), missing, func(string) bool { return true })
	}
	for row := range missing {
		t.Errorf("no JDK has %s", row)
	}
}

func allRows(hooks []Hook) map[string]bool {
	out := map[string]bool{}
	for _, h := range hooks {
		for _, m := range h.Methods {
			out[row(h.Class, m.Name, m.Descriptor)] = true
		}
	}
	return out
}

func row(class, name, descriptor string) string { return class + "." + name + descriptor }

// matched rewrites the classes that the hooks of a source are about, fails the test for each hook that found nothing, and takes the methods that were hooked
// out of missing.
func matched(t *testing.T, source string, hooks []Hook, classes []classFile, missing map[string]bool, about func(class string) bool) {
	t.Helper()
	r := newRewriter(t, Scheme{Hooks: hooks, HooksOnly: true})
	found := map[int]bool{}
	for _, c := range classes {
		if r.hooks[c.name] == nil {
			continue
		}
		res, err := r.Rewrite(c.data)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range res.Unmatched {
			t.Errorf("%s: %s: %s", source, c.name, u.Detail)
		}
		if err := differences(c.data, res, r.scheme); err != nil {
			t.Errorf("%s: %s: %v", source, c.name, err)
		}
		for _, h := range res.Hooked {
			found[h.Hook] = true
			delete(missing, methodRow(t, c, h.Method))
		}
	}
	for i, h := range hooks {
		if about(h.Class) && !found[i] {
			t.Errorf("%s: nothing for %s %v", source, h.Class, h.Methods)
		}
	}
}
