package check

import (
	"context"
	"errors"
	"iter"

	"winnow/internal/check/campaign"
	"winnow/internal/check/evolve"
	"winnow/internal/check/evolve/autoep"
	"winnow/internal/check/pool"
)

// Generated walks generated evolving programs for Maven: those that compile, with tests for JUnit 4 that assert the states of the first revision. It ends after the campaign's number of
// evolving programs; an error ends it, too, and is kept in failed.
func (c *Checker) Generated(ctx context.Context, cam *campaign.Campaign, failed *error) (iter.Seq[*MavenProgram], error) {
	origins, operators, err := c.choice(cam)
	if err != nil {
		return nil, err
	}
	return func(yield func(*MavenProgram) bool) {
		n := 0
		next := func(p *MavenProgram) bool {
			n++
			return yield(p) && (cam.Evolving == 0 || n < cam.Evolving)
		}
		for _, o := range origins {
			for b := range bases(o, cam) {
				b.checker, b.campaign, b.operators = c, cam, operators
				more, err := b.forMaven(ctx, next)
				if err != nil {
					*failed = err
					return
				}
				if !more {
					return
				}
			}
		}
	}, nil
}

// forMaven makes Maven programs of a base and its variants.
func (b *baseWork) forMaven(ctx context.Context, yield func(*MavenProgram) bool) (more bool, err error) {
	cfg := b.config(pool.PerTest)
	if b.base, err = autoep.Prepare(ctx, cfg, b.name, b.program); err != nil {
		return true, skip(blamed(err))
	}
	states := map[string]string{}
	for id, s := range b.base.States {
		states[id.String()] = s
	}
	tests := evolve.JUnitSources(b.base.Tests, states, evolve.JUnit4)
	for name, v := range b.variants() {
		k, err := autoep.Evolve(ctx, cfg, b.base, v)
		if err != nil {
			if err := skip(blamed(err)); err != nil {
				return false, err
			}
			continue
		}
		for r := range k.Evolving.Revisions {
			k.Evolving.Revisions[r].Tests = tests
		}
		k.Evolving.Name = name
		if !yield(ForMaven(&Program{Evolving: k.Evolving, Constraint: b.origin, Operator: v.Operator})) {
			return false, nil
		}
	}
	return true, nil
}

// skip lets problems of programs pass.
func skip(err error) error {
	var why *problem
	if errors.As(err, &why) {
		return nil
	}
	return err
}

// choice finds the origins and operators of a campaign.
func (c *Checker) choice(cam *campaign.Campaign) ([]autoep.Origin, []evolve.Operator, error) {
	all, err := autoep.Origins(cam.Seed)
	if err != nil {
		return nil, nil, err
	}
	origins, err := choose(all, func(o autoep.Origin) string { return o.ID }, cam.Constraints, "constraint", "JD", "F")
	if err != nil {
		return nil, nil, err
	}
	operators, err := choose(evolve.Operators(), func(o evolve.Operator) string { return o.ID }, cam.Operators, "operator", "E", "M")
	return origins, operators, err
}
