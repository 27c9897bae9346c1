package cli

import (
	"strings"
	"testing"
)

// TestTechniquesAreDescribed: names of techniques and of assumptions mean one thing, every technique is cited, and only those that are safe can be a default.
func TestTechniquesAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, x := range techniques {
		if seen[x.Name] || x.Title == "" || x.Citation == "" || len(x.Bias) == 0 && x.Name != "retest-all" || x.ShownOn == "" {
			t.Errorf("%+v", x)
		}
		seen[x.Name] = true
	}
	says := map[string]string{}
	for _, as := range assumptions() {
		if says[as.Name] != "" {
			t.Errorf("%s means %q and %q", as.Name, says[as.Name], as.Says)
		}
		says[as.Name] = as.Says
	}
	for _, p := range papers {
		if paperNamed(p.Name).Name != p.Name {
			t.Errorf("%s is not found", p.Name)
		}
	}
	if paperNamed("methods") != nil || paperNamed("") != nil {
		t.Error("the default is among the papers' techniques")
	}
}

// TestSpelled: the word papers stands for all of them in a campaign.
func TestSpelled(t *testing.T) {
	got := spelled([]string{"methods", "papers"})
	if len(got) != 1+len(papers) || got[0] != "methods" || !strings.HasPrefix(got[1], paperPrefix) {
		t.Errorf("%v", got)
	}
	a := &app{}
	for _, name := range got {
		if s, _ := a.checkSubject(name); s == nil || s.Describe().Name != name {
			t.Errorf("there is no subject %s", name)
		}
	}
}
