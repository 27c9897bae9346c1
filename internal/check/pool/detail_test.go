package pool

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

var detailed = map[string]string{
	"p/Base.java": `package p;
public class Base {
    static int made;
    static { made = count(2); }
    static int count(int n) { int sum = 0; for (int i = 0; i < n; i++) { sum += i; } return sum; }
    public int pick(int n) { switch (n) { case 1: return 10; case 2: return 20; default: return at(); } }
    int at() { return 1; }
}
`,
	"p/Sub.java": "package p;\npublic class Sub extends Base { int at() { return 2; } }\n",
	"t/DTest.java": `package t;
public class DTest {
    public Object base() { return new p.Base().pick(1); }
    public Object sub() { return new p.Sub().pick(7); }
    public Object reflect() throws Exception { Object o = p.Sub.class.getConstructor().newInstance(); return p.Base.class.getMethod("pick", int.class).invoke(o, 2); }
    public Object deep() { try { return down(0); } catch (StackOverflowError e) { return -1; } }
    private int down(int n) { return down(n + 1) + n; }
}
`,
}

// TestDetail: what each test does is known to the edge, the receiver and the caller.
func TestDetail(t *testing.T) {
	p := common(t)
	job := Job{Classes: compile(t, p, detailed), Tests: tests("t.DTest", "base", "sub", "reflect", "deep"), Record: true, Detail: true}
	run, err := p.Run(context.Background(), job)
	if err != nil || run.Lost || len(run.Edgeless) > 0 || len(run.Unreceived) > 0 {
		t.Fatalf("%v, %+v", err, run)
	}
	want := []string{
		"pick 0 2 4, pick on p/Base, calls DTest.<init> DTest.base",
		"pick 0 1 6, pick on p/Sub, at on p/Sub, calls DTest.<init> DTest.sub",
		"pick 0 3 5, pick on p/Sub, calls DTest.<init> DTest.reflect reflect:Sub.<init> reflect:Base.pick",
		"calls DTest.<init> DTest.deep",
	}
	for i, o := range run.Outcomes {
		if got := said(o.Own); o.Result != Passed || sorted(got) != sorted(want[i]) {
			t.Errorf("%s %s: %s\nwant %s", o.Test, o.Result, got, want[i])
		}
	}
	init := run.Units[0].Inits["p/Base"]
	if init == nil || !slices.Contains(init.Edges, Edge{Method{"p/Base", "count", "(I)I"}, 0}) || len(init.Edges) < 6 {
		t.Errorf("the initializer: %+v", init)
	}
	job.Detail = false
	run, err = p.Run(context.Background(), job)
	if err != nil || run.Lost {
		t.Fatalf("%v, %+v", err, run)
	}
	for _, o := range run.Outcomes {
		if o.Own.Edges != nil || o.Own.Receivers != nil || o.Own.Reflective != nil || len(o.Own.Methods) == 0 {
			t.Errorf("%s without details: %+v", o.Test, o.Own)
		}
	}
}

// said writes details in short: the edges of pick, receivers of the program's classes, reflective calls.
func said(f *Footprint) string {
	pick := "pick"
	for _, e := range f.Edges {
		if e.Method.Name == "pick" {
			pick += fmt.Sprint(" ", e.Edge)
		}
	}
	var out []string
	if pick != "pick" {
		out = append(out, pick)
	}
	for _, r := range f.Receivers {
		if strings.HasPrefix(r.Method.Class, "p/") {
			out = append(out, r.Method.Name+" on "+r.Class)
		}
	}
	calls := "calls"
	for _, r := range f.Reflective {
		calls += " "
		if r.From.Name != "" {
			calls += r.From.Name + ":"
		}
		calls += r.To.Class[2:] + "." + r.To.Name
	}
	return strings.Join(append(out, calls), ", ")
}

// sorted makes the order of parts not matter.
func sorted(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' })
	slices.Sort(words)
	return strings.Join(words, " ")
}
