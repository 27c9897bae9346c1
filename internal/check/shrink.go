package check

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"winnow/internal/check/campaign"
	"winnow/internal/check/evolve"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
)

// shrinkFor bounds the time in which one program is made smaller.
const shrinkFor = time.Minute

// causes remembers which groups of violations have an example: only one program of each is made smaller.
type causes struct {
	mu   sync.Mutex
	seen map[[3]string]bool
}

// first tells whether a group was not met before.
func (c *causes) first(key [3]string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[[3]string]bool{}
	}
	was := c.seen[key]
	c.seen[key] = true
	return !was
}

// explain puts the source of a program into its entry for each group of violations of which it is the first example, as small as it can be made while the same subject violates the
// same rule. Violations of broken subjects are wanted, and not explained.
func (c *Checker) explain(ctx context.Context, p *Program, e *campaign.Entry) error {
	for _, v := range e.Violations {
		s := c.subject(v.Subject)
		if s == nil || s.Describe().Role == rule.Broken || !c.causes.first([3]string{v.Rule, v.Subject, e.Operator}) {
			continue
		}
		small, err := c.Shrink(ctx, p, v.Rule, v.Subject)
		if err != nil {
			return err
		}
		text, err := small.Format()
		if err != nil {
			return fmt.Errorf("the program of a violation: %w", err)
		}
		e.Sources = append(e.Sources, campaign.Source{Rule: v.Rule, Subject: v.Subject, Text: string(text)})
	}
	return nil
}

func (c *Checker) subject(name string) subject.Subject {
	i := slices.IndexFunc(c.Subjects, func(s subject.Subject) bool { return s.Describe().Name == name })
	if i < 0 {
		return nil
	}
	return c.Subjects[i]
}

// Shrink makes a program smaller while a subject violates a rule on it. All subjects stay in the comparison, because rules compare them.
func (c *Checker) Shrink(ctx context.Context, p *Program, id, name string) (*Program, error) {
	rules, err := rule.Find([]string{id})
	if err != nil {
		return nil, err
	}
	only := Checker{Pool: c.Pool, JDK: c.JDK, Subjects: c.Subjects, Rules: rules}
	end := time.Now().Add(shrinkFor)
	var failed error
	small := *p
	small.Evolving = evolve.Shrink(p.Evolving, func(e evolve.Evolving) bool {
		if failed != nil || time.Now().After(end) {
			return false
		}
		entry, err := only.Check(ctx, &Program{Evolving: e, Oracle: p.Oracle})
		if err != nil {
			failed = err
			return false
		}
		return slices.ContainsFunc(entry.Violations, func(v rule.Violation) bool { return v.Subject == name })
	})
	return &small, failed
}
