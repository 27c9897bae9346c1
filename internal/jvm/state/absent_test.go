package state

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/agent"
)

func TestPutText(t *testing.T) {
	for _, p := range []Put{
		{Field: "p/A.f", Method: "p/A.set(I)V", Again: true, Callers: []string{"p/T.a()V", "p/T.with blanks()V"}},
		{Field: "p/A.f", Method: "p/T.a()V", Callers: []string{}},
		{Field: "p/A.f", Method: "p/T.a()V", First: true, Callers: []string{}},
		{Field: "p/A.f", Method: "p/T.a()V", Again: true, Left: true, First: true, Callers: []string{}},
		{Field: "p/A.f", Method: "p/T.a()V", Within: []string{"p/B", "p/C"}, Callers: []string{}},
		{Field: "the system property \t\t", Again: true, Callers: []string{}},
		{Field: `the file C:\temp\`, Method: "\\\t", Again: true, Callers: []string{`\\t`, "", `\`, "\t"}},
	} {
		if got, err := ParsePut(p.String()); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%q: %+v, %v", p, got, err)
		}
	}
	for _, text := range []string{"", "p/A.f", "p/A.f\tp/A.set(I)V", "p/A.f\tp/A.set(I)V\tonce", "p/A.f\tp/A.set(I)V\ttwice\t"} {
		if p, err := ParsePut(text); err == nil || !reflect.DeepEqual(p, Put{}) {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
}

func TestPutAmong(t *testing.T) {
	put := func(again bool, within []string, callers ...string) Put {
		return Put{Field: "p/A.f", Method: "p/A.set()V", Again: again, Within: within, Callers: callers}
	}
	in := func(classes ...string) []string { return classes }
	for _, c := range []struct {
		name   string
		put    Put
		others []Put
		want   bool
	}{
		{"nothing before", put(false, nil), nil, false},
		{"the same", put(true, in("p/B"), "c"), []Put{put(true, in("p/B"), "c")}, true},
		{"fewer callers", put(true, nil, "c"), []Put{put(true, nil, "c", "d")}, true},
		{"more callers", put(true, nil, "c", "d"), []Put{put(true, nil, "c")}, false},
		{"no caller concerns all", put(true, nil), []Put{put(true, nil, "c")}, false},
		{"all were concerned", put(true, nil, "c"), []Put{put(true, nil)}, true},
		{"callers do not matter", put(false, nil, "c", "d"), []Put{put(false, nil, "e")}, true},
		{"again now", put(true, nil, "c"), []Put{put(false, nil, "c")}, false},
		{"again before", put(false, nil, "c"), []Put{put(true, nil, "d")}, true},
		{"other fields", put(false, in("p/B", "p/C")), []Put{put(false, in("p/B"))}, false},
		{"fields of several", put(false, in("p/B", "p/C")), []Put{put(false, in("p/B")), put(false, in("p/C", "p/D"))}, true},
		{"everything now", put(false, nil), []Put{put(false, in("p/B"))}, false},
		{"everything before", put(false, in("p/B")), []Put{put(false, nil)}, true},
	} {
		if got := c.put.Among(c.others); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestAbsent: a second test that runs without the first one still finds out what that would have left behind in static fields of the project, from the notes of a run of both.
func TestAbsent(t *testing.T) {
	r := record(t)
	all, err := Inherit(r.program, r.plan, r.trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	var puts []Put
	var of []string // by put: its fixture
	partly := *r.trace
	partly.Tests = nil
	for _, x := range r.trace.Tests {
		name, first := strings.CutSuffix(x.Class, "$First")
		if !first {
			partly.Tests = append(partly.Tests, x)
			continue
		}
		for _, f := range append([]*agent.Footprint{x.Own}, x.Shared...) {
			if n := all.Notes[f]; n != nil && f.Name != "process" {
				for _, p := range n.Puts {
					puts, of = append(puts, p), append(of, name)
				}
			}
		}
	}
	in, err := Inherit(r.program, r.plan, &partly, puts)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range partly.Tests {
		name, second := strings.CutSuffix(x.Class, "$Second")
		if !second {
			continue
		}
		found := map[string]bool{}
		for _, i := range in.Absent[x] {
			found[of[i]] = true
		}
		if strings.HasPrefix(name, "Handed") && !found[name] {
			t.Errorf("%s: what the first test puts is not found", name)
		}
		delete(found, name)
		for other := range found {
			if !slices.ContainsFunc(together, func(g []string) bool { return slices.Contains(g, name) && slices.Contains(g, other) }) {
				t.Errorf("%s finds what %s puts", name, other)
			}
		}
	}
}
