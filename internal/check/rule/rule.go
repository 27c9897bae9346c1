package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Kind is what a violation is a lack of.
type Kind string

// The kinds.
const (
	Safety     Kind = "safety"
	Precision  Kind = "precision"
	Generality Kind = "generality"
)

// A Rule is something that a correct tool never does.
type Rule struct {
	ID    string
	Title string // when it is violated
	Kind  Kind
	// Certain means that a violation is a bug; otherwise it is likely one.
	Certain bool
	// Needs says what a trial must have for the rule to be able to fire, in words.
	Needs string
	// Applies tells whether a trial has it.
	Applies func(*Trial) bool
	find    func(*Trial, func(h *History, r int, tests []string, says string))
}

// A Violation is a place where a rule does not hold.
type Violation struct {
	Rule     string   `json:"rule"`
	Subject  string   `json:"subject"`
	Revision int      `json:"revision"` // -1: all of them
	Tests    []string `json:"tests,omitempty"`
	Says     string   `json:"says"`
}

// String is one line.
func (v Violation) String() string {
	at := "all revisions"
	if v.Revision >= 0 {
		at = fmt.Sprintf("revision %d", v.Revision)
	}
	return fmt.Sprintf("%s %s at %s: %s", v.Rule, v.Subject, at, v.Says)
}

// Judge finds the violations of the rule in a trial.
func (r *Rule) Judge(t *Trial) []Violation {
	var out []Violation
	r.find(t, func(h *History, at int, tests []string, says string) {
		out = append(out, Violation{Rule: r.ID, Subject: h.Subject, Revision: at, Tests: tests, Says: says})
	})
	order := map[string]int{}
	for i, h := range t.Histories {
		order[h.Subject] = i
	}
	slices.SortStableFunc(out, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(order[a.Subject], order[b.Subject]), cmp.Compare(a.Revision, b.Revision))
	})
	return out
}

// Judge finds the violations of several rules in a trial that passes Check.
func Judge(rules []*Rule, t *Trial) []Violation {
	var out []Violation
	for _, r := range rules {
		out = append(out, r.Judge(t)...)
	}
	return out
}

// Find returns rules by their ids, in the order of All.
func Find(ids []string) ([]*Rule, error) {
	var out []*Rule
	for _, id := range ids {
		if !slices.ContainsFunc(All, func(r *Rule) bool { return r.ID == id }) {
			return nil, fmt.Errorf("there is no rule %s; the rules are %s", id, strings.Join(IDs(), ", "))
		}
	}
	for _, r := range All {
		if slices.Contains(ids, r.ID) {
			out = append(out, r)
		}
	}
	return out, nil
}

// IDs are the ids of all rules.
func IDs() []string {
	var out []string
	for _, r := range All {
		out = append(out, r.ID)
	}
	return out
}

// names lists the first of some tests.
func names(tests []string) string {
	const most = 3
	if len(tests) <= most {
		return strings.Join(tests, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(tests[:most], ", "), len(tests)-most)
}
