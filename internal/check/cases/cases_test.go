package cases_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"winnow/internal/check"
	"winnow/internal/check/campaign"
	"winnow/internal/check/cases"
	"winnow/internal/check/pool"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
	"winnow/internal/digest"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/technique"
	"winnow/internal/technique/methods"
)

// blind is the default technique without a rule.
func blind(off safety.Rule) subject.Subject {
	t := subject.Techniques[0]
	t.Name, t.Family, t.Role, t.Rules = "blind", "", rule.Broken, safety.Without(off)
	return t
}

// clover is a model of what Clover looks at: the bodies of ordinary methods that a test entered, as long as they exist. Its own sources aside, nothing else matters.
type clover struct {
	old technique.Bodies
	now methods.Now
}

func cloverModel() subject.Subject {
	t := subject.Techniques[0]
	t.Name, t.Family, t.Role = "clover-model", "", rule.Broken
	t.NewJudge = func(b technique.Bodies, now methods.Now, _ safety.Rules) technique.Judge { return clover{b, now} }
	return t
}

func (c clover) Judge(t technique.Trace) (reasons []rts.Reason, harmless []rts.Difference, err error) {
	for _, s := range t.Stale {
		if hit, err := c.hit(s); err != nil {
			return nil, nil, err
		} else if hit {
			reasons = append(reasons, s.Reason())
		}
		harmless = append(harmless, rts.Difference{Entity: s.Use.Entity, Why: "not an ordinary method"})
	}
	if len(reasons) > 0 {
		return reasons, nil, nil
	}
	return nil, harmless, nil
}

func (c clover) hit(s technique.Stale) (bool, error) {
	p, class, _ := c.now.Find(s.Use.Entity)
	if s.Use.Entity.Kind != methods.KindClass || strings.HasPrefix(class, "t/") || s.Now == digest.Absent {
		return false, nil
	}
	body, _, err := c.old.Body(s.Use.Digest)
	if err != nil {
		return false, err
	}
	old, err := table.Decode(body)
	if err != nil {
		return false, err
	}
	now, err := p.Table(class)
	if err != nil {
		return false, err
	}
	for i, m := range old.Methods {
		if n, _, ok := now.Method(m.Name, m.Descriptor); ok && slices.Contains(s.Use.Entries, table.FirstMethod+uint32(i)) && !strings.HasPrefix(m.Name, "<") && n.Body != m.Body {
			return true, nil
		}
	}
	return false, nil
}

// named finds a technique or a broken one.
func named(name string) subject.Subject {
	for _, t := range subject.Techniques {
		if t.Name == name {
			return t
		}
	}
	for _, b := range subject.BrokenOnes() {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// shown has for each bug a technique that has it.
var shown = map[string]subject.Subject{
	"clover-1":  cloverModel(),
	"clover-2":  cloverModel(),
	"clover-3":  cloverModel(),
	"clover-4":  cloverModel(),
	"clover-5":  cloverModel(),
	"clover-7":  cloverModel(),
	"clover-8":  cloverModel(),
	"starts-1":  blind(methods.Bodies),
	"all-1":     named("classes"),
	"clover-9":  named("broken-eager"),
	"ekstazi-1": named("broken-restless"),
	"ekstazi-2": named("broken-restless"),
	"starts-2":  named("broken-eager"),
}

// TestTableVII: the default technique selects what must run and violates nothing; a technique with the bug violates the rule of the table.
func TestTableVII(t *testing.T) {
	jdk := jvmtest.JDK(t, 17)
	p, err := pool.Open(context.Background(), pool.Config{JDK: jdk, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	kinds := map[rule.Kind]int{}
	for _, c := range cases.All {
		kinds[c.Kind]++
		e, err := c.Program()
		if err != nil {
			t.Fatal(err)
		}
		wrong := shown[c.ID]
		k := check.Checker{Pool: p, JDK: jdk, Rules: rule.All, Subjects: []subject.Subject{named("methods"), named("methods~reverse"), named("methods~twice"), wrong}}
		trial, err := k.Trial(context.Background(), &check.Program{Evolving: *e})
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		entry := campaign.Judge(rule.All, trial)
		if got := selected(&trial.Histories[1].Steps[2]); !slices.Equal(got, c.Selects) {
			t.Errorf("%s: the default technique selects %v, want %v", c.ID, got, c.Selects)
		}
		fires := false
		for _, v := range entry.Violations {
			if v.Subject == wrong.Describe().Name {
				fires = fires || v.Rule == c.Rule
			} else {
				t.Errorf("%s: %v", c.ID, v)
			}
		}
		if !fires {
			t.Errorf("%s: %s does not show the bug: %v", c.ID, wrong.Describe().Name, entry.Violations)
		}
	}
	if kinds[rule.Safety] != 9 || kinds[rule.Precision] != 4 {
		t.Errorf("%v", kinds)
	}
}

func selected(s *rule.Step) []string {
	var out []string
	for _, test := range s.Selected {
		out = append(out, test[strings.LastIndexByte(test, '.')+1:])
	}
	slices.Sort(out)
	return out
}
