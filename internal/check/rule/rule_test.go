package rule

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// step makes a step from "test=end" words: an end is "ok" or "fails", with a state behind a colon.
func step(words ...string) Step {
	s := Step{Outcomes: map[string]Outcome{}}
	for _, w := range words {
		test, end, _ := strings.Cut(w, "=")
		end, state, _ := strings.Cut(end, ":")
		s.Selected = append(s.Selected, test)
		s.Outcomes[test] = Outcome{Failed: end == "fails", State: state}
	}
	return s
}

// clean is a trial V0, V0, V1 with three tests: a fails newly, b changes its state, c stays. The four tools are right, and each selects something else than the others.
func clean() *Trial {
	all := []Step{step("a=ok:1", "b=ok:1", "c=ok:1"), step("a=ok:1", "b=ok:1", "c=ok:1"), step("a=fails:2", "b=ok:2", "c=ok:1")}
	tool := func(name string, last ...string) History {
		return History{Subject: name, Role: Selecting, Steps: []Step{step("a=ok:1", "b=ok:1", "c=ok:1"), step(), step(last...)}}
	}
	t := &Trial{
		Program: "p", Same: []bool{false, true, false},
		Touched: []map[string]string{nil, {}, {"a": "A.m()V", "b": "A.m()V"}},
		Histories: []History{
			{Subject: "retest-all", Role: Baseline, Steps: all},
			tool("one", "a=fails:2", "b=ok:2"), tool("one~reverse", "b=ok:2", "a=fails:2"),
			tool("two", "a=fails:2", "b=ok:2"), tool("three", "a=fails:2", "b=ok:2"),
		},
	}
	t.Histories[1].Family, t.Histories[2].Family = "one", "one"
	return t
}

func fired(t *Trial) map[string][]string {
	out := map[string][]string{}
	for _, v := range Judge(All, t) {
		if !slices.Contains(out[v.Rule], v.Subject) {
			out[v.Rule] = append(out[v.Rule], v.Subject)
		}
	}
	return out
}

// TestRulesFire breaks the tool "one" in one way after another and checks which rules notice.
func TestRulesFire(t *testing.T) {
	if got := fired(clean()); len(got) > 0 {
		t.Fatalf("a trial without a fault: %v", got)
	}
	shown := map[string]bool{}
	for _, c := range []struct {
		name  string
		spoil func(*Trial, *History)
		rules string
	}{
		{"leaves out the test that fails", func(_ *Trial, h *History) { h.Steps[2] = step("b=ok:2") }, "R1 I1 I2 I5 I6 L1"},
		{"shows another failing test instead", func(_ *Trial, h *History) { h.Steps[2] = step("b=ok:2", "c=fails:1") }, "I1 I2 I3 I5 I6 L1"},
		{"leaves out a test whose state changed", func(_ *Trial, h *History) { h.Steps[2] = step("a=fails:2") }, "I2 I5 I6 L1"},
		{"selects none while others select all", func(t *Trial, h *History) {
			h.Steps[2] = step()
			for _, i := range []int{3, 4} {
				t.Histories[i].Steps[2] = step("a=fails:2", "b=ok:2", "c=ok:1")
			}
		}, "R1 R2 I1 I2 I5 I6 L1"},
		{"selects all", func(_ *Trial, h *History) { h.Steps[2] = step("a=fails:2", "b=ok:2", "c=ok:1") }, "R3 I5"},
		{"selects all while others select none", func(t *Trial, h *History) {
			t.Histories[0].Steps[2], t.Touched[2] = t.Histories[0].Steps[0], nil
			h.Steps[2] = t.Histories[0].Steps[0]
			for _, i := range []int{2, 3, 4} {
				t.Histories[i].Steps[2] = step()
			}
		}, "R3 R4 I5"},
		{"selects without a change", func(_ *Trial, h *History) { h.Steps[1] = step("c=ok:1") }, "R5 I5"},
		{"selects without a change later", func(t *Trial, h *History) {
			t.Same = append(t.Same, true)
			for i := range t.Histories {
				t.Histories[i].Steps = append(t.Histories[i].Steps, step())
			}
			t.Histories[0].Steps[3] = t.Histories[0].Steps[2]
			h.Steps[3] = step("c=ok:1")
		}, "I5 I8"},
		{"does not run a test at first", func(_ *Trial, h *History) { h.Steps[0] = step("a=ok:1", "b=ok:1") }, "R6 I5 I7"},
		{"runs another test at first", func(_ *Trial, h *History) { h.Steps[0] = step("a=ok:1", "b=ok:1", "d=ok:1") }, "I5 I7"},
		{"makes a test fail", func(_ *Trial, h *History) { h.Steps[0] = step("a=ok:1", "b=ok:1", "c=fails:1") }, "R7 I3"},
		{"makes a test leave another state", func(_ *Trial, h *History) { h.Steps[0] = step("a=ok:1", "b=ok:1", "c=ok:9") }, "I3"},
		{"runs what it did not select", func(_ *Trial, h *History) { h.Steps[1].Outcomes["c"] = Outcome{State: "1"} }, "I4"},
		{"selects what does not run", func(_ *Trial, h *History) {
			h.Steps[1].Selected, h.Steps[1].Excepted = []string{"c"}, map[string]string{"c": "external"}
		}, "I4 I5"},
	} {
		trial := clean()
		c.spoil(trial, &trial.Histories[1])
		if err := trial.Check(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got := fired(trial)
		var ids []string
		for _, r := range All {
			if slices.Contains(got[r.ID], "one") || slices.Contains(got[r.ID], "one~reverse") && r.ID == "I5" {
				ids = append(ids, r.ID)
				shown[r.ID] = true
				if !r.Applies(trial) {
					t.Errorf("%s: %s fires and says that it does not apply", c.name, r.ID)
				}
			}
			for _, s := range got[r.ID] {
				if s != "one" && !(r.ID == "I5" && s == "one~reverse") && !strings.Contains(c.name, "while others select all") {
					t.Errorf("%s: %s accuses %s", c.name, r.ID, s)
				}
			}
		}
		if want := strings.Fields(c.rules); !slices.Equal(ids, want) {
			t.Errorf("%s: %v fired, want %v", c.name, ids, want)
		}
	}
	for _, r := range All {
		if !shown[r.ID] {
			t.Errorf("no broken subject shows that %s can fire", r.ID)
		}
	}
}

// TestExceptions: crashes, what is not applicable, and tests that run always are no violations.
func TestExceptions(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*Trial, *History)
	}{
		{"a crash", func(_ *Trial, h *History) { h.Steps[2] = Step{Crash: "exit 1"} }},
		{"not applicable", func(_ *Trial, h *History) {
			for r := range h.Steps {
				h.Steps[r] = Step{NotApplicable: "class files of Java 17"}
			}
		}},
		{"an external test", func(t *Trial, h *History) {
			for _, i := range []int{1, 2} {
				t.Histories[i].Steps[1] = step("c=ok:1")
				t.Histories[i].Steps[1].Excepted = map[string]string{"c": "external"}
			}
		}},
		{"a test that failed", func(t *Trial, h *History) {
			for i := range t.Histories {
				t.Histories[i].Steps[0] = step("a=ok:1", "b=ok:1", "c=fails:1")
			}
			t.Histories[0].Steps[1] = step("a=ok:1", "b=ok:1", "c=fails:1")
			for _, i := range []int{1, 2} {
				t.Histories[i].Steps[1] = step("c=fails:1")
			}
			t.Histories[0].Steps[2].Outcomes["c"] = Outcome{Failed: true, State: "1"}
		}},
		{"what was recorded before a revert", func(t *Trial, h *History) {
			t.Same, t.Touched = append(t.Same, false), append(t.Touched, nil)
			for i := range t.Histories {
				t.Histories[i].Steps = append(t.Histories[i].Steps, step())
			}
			t.Histories[0].Steps[3] = t.Histories[0].Steps[0]
		}},
	} {
		trial := clean()
		c.spoil(trial, &trial.Histories[1])
		if got := fired(trial); len(got) > 0 {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestFewTools: with less than two others R2, R4 and I6 do not apply, and members of a family count once.
func TestFewTools(t *testing.T) {
	trial := clean()
	trial.Histories = trial.Histories[:4]
	trial.Histories[1].Steps[2] = step()
	for i := range trial.Histories {
		if i != 1 {
			trial.Histories[i].Steps[2] = step("a=fails:2", "b=ok:2", "c=ok:1")
		}
	}
	for _, id := range []string{"R2", "R4", "I6"} {
		rules, err := Find([]string{id})
		if err != nil {
			t.Fatal(err)
		}
		if rules[0].Applies(trial) || len(rules[0].Judge(trial)) > 0 {
			t.Errorf("%s applies with one other tool", id)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Trial){
		"no baseline":      func(t *Trial) { t.Histories = t.Histories[1:] },
		"nothing":          func(t *Trial) { t.Histories = nil },
		"a short history":  func(t *Trial) { t.Histories[2].Steps = t.Histories[2].Steps[:2] },
		"a baseline crash": func(t *Trial) { t.Histories[0].Steps[1] = Step{Crash: "killed"} },
	} {
		trial := clean()
		spoil(trial)
		if trial.Check() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestFind(t *testing.T) {
	if _, err := Find([]string{"R1", "R99"}); err == nil || !strings.Contains(err.Error(), "R99") || !strings.Contains(err.Error(), "I1") {
		t.Errorf("an unknown rule: %v", err)
	}
	got, err := Find([]string{"I1", "R1"})
	if err != nil || len(got) != 2 || got[0].ID != "R1" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestTrialJSON: a trial comes back from its JSON and is judged the same.
func TestTrialJSON(t *testing.T) {
	trial := clean()
	trial.Histories[1].Steps[2] = step("b=ok:2")
	data, err := json.Marshal(trial)
	if err != nil {
		t.Fatal(err)
	}
	var back Trial
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	a, b := Judge(All, trial), Judge(All, &back)
	if len(a) == 0 || len(a) != len(b) {
		t.Fatalf("%v, then %v", a, b)
	}
	for i := range a {
		if a[i].String() != b[i].String() {
			t.Errorf("%v became %v", a[i], b[i])
		}
	}
}
