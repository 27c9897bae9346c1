package check

import (
	"context"
	"slices"

	"winnow/internal/check/campaign"
	"winnow/internal/check/rule"
)

// explain puts the source of a program into its entry if something is violated, as small as it can be made while the same subject violates the same rule.
func (c *Checker) explain(ctx context.Context, p *Program, e *campaign.Entry) error {
	i := slices.IndexFunc(e.Violations, func(v rule.Violation) bool { return c.wanted(v.Subject) })
	if i < 0 {
		return nil
	}
	small, err := c.Shrink(ctx, p, e.Violations[i].Rule, e.Violations[i].Subject)
	if err != nil {
		return err
	}
	text, err := small.Format()
	if err != nil {
		return err
	}
	e.Source = string(text)
	return nil
}

// wanted tells whether violations of a subject are looked into: those of broken ones are wanted to be there.
func (c *Checker) wanted(name string) bool {
	for _, s := range c.Subjects {
		if d := s.Describe(); d.Name == name {
			return d.Role != rule.Broken
		}
	}
	return false
}

// Shrink makes a program smaller while a subject violates a rule on it.
func (c *Checker) Shrink(ctx context.Context, p *Program, id, subject string) (*Program, error) {
	return p, ctx.Err()
}
