package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// detailed is what the tests of testdata/Detail.java do: edges of wide, receivers, and calls by reflection, the way of JUnit to the test aside.
var detailed = map[string][]string{
	"testSmall": {"Detail$Shape.wide(Z)I 0", "Detail$Shape.wide(Z)I 1", "Detail$Shape.wide(Z)I 3", "Detail$Shape.area()I on Detail$Small", "Detail$Shape.wide(Z)I on Detail$Small",
		"Detail$Small.side()I on Detail$Small"},
	"testLarge": {"Detail$Shape.wide(Z)I 0", "Detail$Shape.wide(Z)I 2", "Detail$Shape.wide(Z)I 4", "Detail$Large.side()I on Detail$Large", "Detail$Shape.area()I on Detail$Large",
		"Detail$Shape.wide(Z)I on Detail$Large"},
	"testLambda": {"Detail$Step.twice(I)I on Detail$$Lambda"},
	"testReflective": {"Detail$Shape.wide(Z)I 0", "Detail$Shape.wide(Z)I 1", "Detail$Shape.wide(Z)I 3", "Detail$Shape.wide(Z)I on Detail$Small",
		"Detail.make(I)Ljava/lang/Object; calls Detail$Small.<init>()V", // because of its name
		"Detail.make(Ljava/lang/Class;)Ljava/lang/Object; calls Detail$Small.<init>()V",
		"Detail.testReflective()V calls Detail$Large.<init>()V", "Detail.testReflective()V calls Detail$Shape.wide(Z)I"},
	"testDeep": nil,
}

// TestDetail runs tests with details.
func TestDetail(t *testing.T) {
	for _, feature := range extremes() {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, "junit-3.8")
			p.options.Detail = true
			plan := p.plan()
			again, err := ReadPlan(plan.File)
			if err != nil {
				t.Fatal(err)
			}
			trace := p.trace(plan, "junit.textui.TestRunner", "Detail")
			if trace.Incomplete != "" || len(plan.Problems) > 0 || len(trace.Tests) != len(detailed) {
				t.Errorf("%d tests, incomplete %q, problems %q", len(trace.Tests), trace.Incomplete, plan.Problems)
			}
			for _, test := range trace.Tests {
				name, _, _ := strings.Cut(test.Method, "(")
				if got := detailsOf(again, test.Own); test.Outcome != Passed || !slices.Equal(got, detailed[name]) {
					t.Errorf("%s %v:\n%s\nwant\n%s", test.Key, test.Outcome, strings.Join(got, "\n"), strings.Join(detailed[name], "\n"))
				}
			}
			for _, e := range trace.Process.Events {
				if e.Kind >= Received {
					t.Errorf("%v %q is no event", e.Kind, e.Text)
				}
			}
		})
	}
}

// detailsOf writes the details of a footprint.
func detailsOf(plan *Plan, f *Footprint) []string {
	var out []string
	for _, e := range plan.EdgesOf(f) {
		if m, _ := plan.Method(e.Method); m.Name == "wide" {
			out = append(out, fmt.Sprint(m, " ", e.Edge))
		}
	}
	var on []string
	for _, r := range f.Receivers {
		if m, _ := plan.Method(r.Method); strings.HasPrefix(m.Class, "Detail$") {
			on = append(on, fmt.Sprint(m, " on ", r.Class))
		}
	}
	slices.Sort(on)
	out = append(out, on...)
	for _, r := range f.Reflective {
		if r.From.Class == "Detail" {
			out = append(out, fmt.Sprint(r.From, " calls ", r.To))
		}
	}
	return out
}

// TestDetailIsOwn: libraries have no details, and without the option nobody has.
func TestDetailIsOwn(t *testing.T) {
	p := newProject(t, features[1], "junit-3.8", "hamcrest-core")
	p.options.NoJDKHooks = true
	for _, c := range []struct {
		detail bool
		own    []string
		want   map[string]bool
	}{
		{false, p.path, map[string]bool{"Detail": false, "junit/framework/TestCase": false, "org/hamcrest/CoreMatchers": false}},
		{true, nil, map[string]bool{"Detail": true, "junit/framework/TestCase": false, "org/hamcrest/CoreMatchers": false}},
		{true, p.path[2:], map[string]bool{"Detail": true, "junit/framework/TestCase": false, "org/hamcrest/CoreMatchers": true}},
	} {
		p.options.Detail, p.options.Own = c.detail, c.own
		plan := p.plan()
		for name, want := range c.want {
			class := plan.ClassNamed(name)
			if len(class) != 1 || plan.Detail(class[0]).Detailed != want {
				t.Errorf("detail %v, own %v: %s should be detailed: %v", c.detail, c.own, name, want)
			}
		}
		if plan.Study != c.detail {
			t.Errorf("study %v with detail %v", plan.Study, c.detail)
		}
	}
}

func TestParseDetails(t *testing.T) {
	for text, want := range map[string]ReflectiveCall{
		"p.A.m\np.B$1.<init>()V": {MemberName{Class: "p/A", Name: "m"}, MemberName{"p/B$1", "<init>", "()V"}},
		"\nB.n(Lp/C;)J":          {To: MemberName{"B", "n", "(Lp/C;)J"}},
	} {
		if got, err := ParseReflectiveCall(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "p.A.m()V", "m()V\nA.n()V", "A.m()V\n", "A.m()V\nn()V", ".m()V\nA.n()V"} {
		if got, err := ParseReflectiveCall(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
	for text, want := range map[string]Receiver{"7 p.A": {7, "p/A"}, "0 p.A$$Lambda$14/0x00": {0, "p/A$$Lambda"}, "1 p.A/0x1": {1, "p/A"}} {
		if got, err := ParseReceiver(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "p.A", "-1 p.A", "1 ", "x p.A"} {
		if got, err := ParseReceiver(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
