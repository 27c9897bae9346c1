package instrument

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// TestHooks runs hooks that pass every kind of parameter, together with probes.
func TestHooks(t *testing.T) {
	mixed := Method{"mixed", "(JID[Ljava/lang/String;[Z)I"}
	s := Scheme{Hooks: []Hook{
		{Class: "Hooked", Target: "many", Pass: []Parameter{This, 0, 1, 2, 3}, Methods: []Method{{"gone", "()V"}, mixed}},
		{Class: "Hooked", Target: "event", Pass: []Parameter{4}, Methods: []Method{mixed}},
		{Class: "Hooked", Target: "event", Pass: []Parameter{0}, Methods: []Method{{"still", "(Ljava/lang/Object;)I"}, {"<init>", "(Ljava/lang/String;)V"}}},
		{Class: "Other", Target: "event", Methods: []Method{{"f", "()V"}}},
	}}
	before := map[string][]byte{"Hooked": testClasses(t)["Hooked"]}
	for _, only := range []bool{false, true} {
		s.HooksOnly = only
		r := newRewriter(t, s)
		res, err := r.Rewrite(before["Hooked"])
		if err != nil {
			t.Fatal(err)
		}
		if err := differences(before["Hooked"], res, s); err != nil {
			t.Error(err)
		}
		if len(res.Hooked) != 4 || len(res.Unmatched) != 0 || len(res.Probes) == 0 != only {
			t.Errorf("hooked %v, unmatched %v, probes %v", res.Hooked, res.Unmatched, res.Probes)
		}
		seen := "[four, receiver, 8589934592 5 2.5, [x, y], [false, false, false], o]"
		if !only {
			seen = "0 1 2 4 " + seen // toString is called only when the log is printed
		}
		for _, feature := range judges() {
			if only && !*full {
				continue
			}
			runEdges(t, newJVM(t, feature), []edge{{name: "Hooked", want: "16 3", seen: seen}}, before, map[string][]byte{"Hooked": res.Bytes})
		}
	}
}

// TestLeavingHooks: each return of a method is told, whatever is returned and from wherever, and nothing else.
func TestLeavingHooks(t *testing.T) {
	before := map[string][]byte{"Leaves": testClasses(t)["Leaves"]}
	hook := Hook{Class: "Leaves", Target: "left", Leaving: true, Methods: []Method{
		{"choose", "(I)J"}, {"loop", "(I)Ljava/lang/String;"}, {"tries", "(Ljava/lang/String;)I"}, {"nothing", "(Z)V"}, {"<init>", "()V"}, {"throwing", "()D"}}}
	entry := Hook{Class: "Leaves", Target: "event", Pass: []Parameter{0}, Methods: []Method{{"tries", "(Ljava/lang/String;)I"}}}
	for _, s := range append(someSchemes(), namedScheme{"hooks", Scheme{HooksOnly: true}}, schemes[1]) {
		s.Hooks = []Hook{hook, entry}
		res, err := newRewriter(t, s.Scheme).Rewrite(before["Leaves"])
		if err != nil {
			t.Fatal(err)
		}
		if s.Edges {
			err = wellEdged(before["Leaves"], res)
		} else {
			err = differences(before["Leaves"], res, s.Scheme.withDefaults())
		}
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		if len(res.Hooked) != 7 || len(res.Unmatched) != 0 {
			t.Errorf("%s: hooked %v, unmatched %v", s.name, res.Hooked, res.Unmatched)
		}
		seen := "[left, left, left, left, left, 7, left, left, x, left, left]" // what is thrown is not told
		for _, feature := range judges() {
			j := newJVM(t, feature)
			one, two := filepath.Join(j.dir, "one"), filepath.Join(j.dir, "two")
			jvmtest.WriteClasses(t, one, before)
			jvmtest.WriteClasses(t, two, map[string][]byte{"Leaves": res.Bytes})
			answer := j.ask(append(j.withProbe(), verifyAll), "run", one+"/", two+"/", "Leaves")
			if was, is := answer[0][1], answer[1][1]; was != is || was != "1 2 many ab 7 -1 thrown" || !strings.HasSuffix(answer[2][1], seen) {
				t.Errorf("JDK %d, %s: %q, was %q; seen %q", feature, s.name, is, was, answer[2][1])
			}
		}
	}
}

// TestHookProblems: a hook that cannot be inserted is reported, and the class is as without it.
func TestHookProblems(t *testing.T) {
	tests := []struct {
		method Method
		pass   Parameter
		want   string
	}{
		{Method{"gone", "()V"}, 0, "no such method"},
		{Method{"f", "()V"}, 0, "no such method"},
		{Method{"f", "()I"}, This, "has no receiver"},
		{Method{"f", "()I"}, 0, "no parameter 0"},
		{Method{"f", "()I"}, -2, "no parameter -2"},
		{Method{"<init>", "()V"}, This, "receiver of a constructor"},
		{Method{"broken", "(L)V"}, 0, "cannot be read"},
	}
	a := assemble(t, 52, "Problems")
	a.method("f", "()I", "iconst_1\n ireturn", nil)
	a.method("broken", "(L)V", "return", nil)
	a.method("<init>", "()V", "aload_0\n invokespecial java/lang/Object.<init>:()V\n return", nil)
	a.Methods[2].Access = 0
	data := a.bytes()
	for _, test := range tests {
		r := newRewriter(t, Scheme{HooksOnly: true, Hooks: []Hook{{Class: "Problems", Methods: []Method{test.method}, Target: "event", Pass: []Parameter{test.pass}}}})
		res, err := r.Rewrite(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Unmatched) != 1 || !strings.Contains(res.Unmatched[0].Detail, test.want) || len(res.Hooked) != 0 || !slices.Equal(res.Bytes, data) {
			t.Errorf("%v %d: %+v %+v, want %q", test.method, test.pass, res.Unmatched, res.Hooked, test.want)
		}
	}
}

// TestLeavingProblems: what cannot be told where a method is left is reported, and the class is as without it.
func TestLeavingProblems(t *testing.T) {
	a := assemble(t, 52, "Problems")
	a.method("f", "(I)I", "iconst_1\n ireturn", nil)
	a.method("<clinit>", "()V", "return", nil)
	data := a.bytes()
	f := []Method{{"f", "(I)I"}}
	for want, hooks := range map[string][]Hook{
		"are gone when it returns":     {{Methods: f, Pass: []Parameter{0}}},
		"its window's":                 {{Methods: []Method{{"<clinit>", "()V"}}}},
		"another hook has the returns": {{Methods: f}, {Methods: f}},
	} {
		for i := range hooks {
			hooks[i].Class, hooks[i].Target, hooks[i].Leaving = "Problems", "left", true
		}
		res, err := newRewriter(t, Scheme{HooksOnly: true, Hooks: hooks}).Rewrite(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Unmatched) != 1 || !strings.Contains(res.Unmatched[0].Detail, want) || len(res.Hooked) != len(hooks)-1 {
			t.Errorf("%+v %+v, want %q", res.Unmatched, res.Hooked, want)
		}
	}
}

func TestParseParameters(t *testing.T) {
	tests := map[string]string{
		"()V": "[]", "(I)V": "[{73 0}]", "(JI)V": "[{74 0} {73 2}]", "(DLjava/lang/String;[[J[LA;Z)V": "[{68 0} {76 2} {91 3} {91 4} {90 5}]",
		"": "error", "(": "error", "I": "error", "(V)V": "error", "(Lx)V": "error", "([)V": "error", "(" + strings.Repeat("I", 256) + ")V": "error",
	}
	for descriptor, want := range tests {
		got, err := parseParameters(descriptor)
		text := fmt.Sprint(got)
		if err != nil {
			text = "error"
		}
		if text != want {
			t.Errorf("%q: %s, want %s", descriptor, text, want)
		}
	}
}

// TestJDKHooksRun starts JVMs whose own java.base has the hooks of the table, and looks for each thing that a program asks for in vain.
func TestJDKHooksRun(t *testing.T) {
	before := map[string][]byte{"Asks": testClasses(t)["Asks"]}
	r := newRewriter(t, Scheme{HooksOnly: true, Hooks: JDKHooks()})
	for _, feature := range judges() {
		j := newJVM(t, feature)
		var hooked []classFile
		for _, c := range jdkClasses(t, feature, only("java.base")) {
			if r.hooks[c.name] != nil {
				hooked = append(hooked, c)
			}
		}
		dir := filepath.Join(j.dir, "asks")
		jvmtest.WriteClasses(t, dir, before)
		answer := j.ask(j.withProbe(j.jar("hooked.jar", swap(hooked, rewriteAll(t, r, hooked)))), "run", dir+"/", dir+"/", "Asks")
		if answer[1][1] != "done" {
			t.Fatalf("JDK %d: %v", feature, answer[1])
		}
		for _, want := range []string{"/no/read", "/no/write", "/no/random", "/no/exists", "/no/list", "/no/nio-read", "/no/nio-exists", "/no/nio-list", "/no/link", "/no/target", "/no/new", "/no/old", "manifest", "no.property", "no.integer",
			"all properties", "NO_VARIABLE", "all variables", "names of variables", "met ", "/no/process", "no-resource", "no-resources", "no.such.Type"} {
			if !strings.Contains(answer[2][1], want+",") && !(want == "met " && strings.Contains(answer[2][1], want)) {
				t.Errorf("JDK %d: nobody saw %s", feature, want)
			}
		}
	}
}
