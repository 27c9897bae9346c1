package check

import (
	"context"
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"winnow/internal/check/campaign"
	"winnow/internal/check/rule"
)

var (
	origins  = flag.String("constraints", "JD8 F13", "constraints and features in TestAutoEP; all if it is \"all\"")
	programs = flag.Int("programs", 1, "programs of each constraint in TestAutoEP")
	each     = flag.Int("each", 1, "variants of each program and operator in TestAutoEP")
)

// TestAutoEP checks the techniques on a few generated programs. No technique of Winnow may violate a certain rule, the model of Ekstazi aside.
func TestAutoEP(t *testing.T) {
	c := checker(t)
	c.Rules = slices.DeleteFunc(slices.Clone(rule.All), func(r *rule.Rule) bool { return !r.Certain }) // the others fire on precise tools, and shrinking takes long
	cam, err := campaign.Parse("test", []byte("component autoep\nconstraint "+*origins+"\noperator all\nsubject methods\nlength 1 2 4\ntests 5\n"))
	if err != nil {
		t.Fatal(err)
	}
	cam.Programs, cam.Each, cam.Workers = *programs, *each, 1
	plan, err := c.AutoEP(cam)
	if err != nil {
		t.Fatal(err)
	}
	log, err := campaign.OpenLog(filepath.Join(t.TempDir(), "log"), cam, "test")
	if err != nil {
		t.Fatal(err)
	}
	finished, err := Run(context.Background(), cam, plan, log, nil)
	if err != nil || !finished {
		t.Fatal(finished, err)
	}
	entries := log.Entries()
	status := map[campaign.Status]int{}
	for _, e := range entries {
		status[e.Status]++
		for _, v := range e.Violations {
			if v.Subject != "classes" {
				t.Errorf("%s: %v\n%s", e.Program, v, e.Sources)
			}
		}
	}
	t.Logf("%v", status)
	if status[campaign.Compared] < 5 {
		t.Errorf("only %v", status)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}
