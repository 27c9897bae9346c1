package check

import (
	"context"
	"errors"

	"winnow/internal/check/campaign"
	"winnow/internal/check/loss"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
)

// losses finds out which tests execute methods that differ from the revision before.
func (c *Checker) losses(ctx context.Context, b *bench, t *rule.Trial, materials []*subject.Material) error {
	t.Touched, t.Paper, t.Renumbered = make([]map[string]string, len(t.Same)), make([]map[string]string, len(t.Same)), make([]map[string]string, len(t.Same))
	for r := 1; r < len(t.Same); r++ {
		if t.Same[r] {
			continue
		}
		old, err := c.look(ctx, b, materials[r-1])
		if err != nil {
			return err
		}
		now, err := c.look(ctx, b, materials[r])
		if err != nil {
			return err
		}
		d := loss.Compare(old, now)
		t.Touched[r], t.Paper[r], t.Renumbered[r] = d.Ours, d.Paper, d.Renumbered
	}
	return nil
}

// look decodes a revision, once.
func (c *Checker) look(ctx context.Context, b *bench, m *subject.Material) (*loss.Revision, error) {
	if r := b.looked[m]; r != nil {
		return r, nil
	}
	r, err := c.Loss.Look(ctx, b.code[m], m.Resources, m.Tests)
	if errors.Is(err, loss.ErrAnswer) {
		return nil, &problem{campaign.CannotBeJudged, firstLine(err.Error())}
	}
	if err != nil {
		return nil, died(err)
	}
	b.looked[m] = r
	return r, nil
}
