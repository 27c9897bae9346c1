package engine

import (
	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
)

// A usage is which footprints use an entity, in whatever version: a judge that asks about a few entities of many tests need not read all that each of them used.
type usage struct {
	inputs map[store.FootprintRef][]store.InputRef
	hit    *store.FootprintSet // footprints that reach one of these
	uses   map[store.FootprintRef][]rts.Use
}

// mostUsages is how many entities are kept. Who asks for more, as when a library is another one, is answered from all that a test used.
const mostUsages = 300

// usesOf returns the uses of an entity in a footprint and in everything it includes, as View.AllUses has them.
func (c *comparison) usesOf(ref store.FootprintRef, e rts.Entity) ([]rts.Use, error) {
	u, known := c.usages[e]
	if !known {
		if len(c.usages) == mostUsages {
			return c.amongAll(ref, e)
		}
		var err error
		if u, err = c.usageOf(e); err != nil {
			return nil, err
		}
		c.usages[e] = u
	}
	if !u.hit.Has(ref) {
		return nil, nil
	}
	var out []rts.Use
	var failed error
	c.view.Within(ref, func(f store.FootprintRef) bool {
		if !u.hit.Has(f) || failed != nil {
			return false
		}
		var own []rts.Use
		own, failed = c.usesIn(u, e, f)
		out = append(out, own...)
		return true
	})
	if failed != nil {
		return nil, failed
	}
	return rts.SortUses(out), nil
}

// usageOf finds the footprints that use an entity.
func (c *comparison) usageOf(e rts.Entity) (*usage, error) {
	u := &usage{inputs: map[store.FootprintRef][]store.InputRef{}, hit: c.view.NewSet(), uses: map[store.FootprintRef][]rts.Use{}}
	var failed error
	var queue []store.FootprintRef
	c.view.Inputs(e, func(ref store.InputRef, _ digest.Digest) {
		owners, err := c.view.Owners(ref)
		if err != nil {
			failed = err
		}
		for _, f := range owners {
			u.inputs[f] = append(u.inputs[f], ref)
			if u.hit.Add(f) {
				queue = append(queue, f)
			}
		}
	})
	c.climb(u.hit, queue)
	return u, failed
}

// usesIn returns the uses of an entity that a footprint itself has.
func (c *comparison) usesIn(u *usage, e rts.Entity, f store.FootprintRef) ([]rts.Use, error) {
	refs := u.inputs[f]
	if known, ok := u.uses[f]; ok || len(refs) == 0 {
		return known, nil
	}
	entries, err := c.view.Entries(f, refs)
	if err != nil {
		return nil, err
	}
	out := make([]rts.Use, len(refs))
	for i, ref := range refs {
		out[i] = rts.Use{Entity: e, Digest: c.view.Input(ref).Digest, Entries: entries[i]}
	}
	u.uses[f] = out
	return out, nil
}

// amongAll finds the uses of an entity among all of a footprint, which is asked for with many entities, one after the other.
func (c *comparison) amongAll(ref store.FootprintRef, e rts.Entity) ([]rts.Use, error) {
	if c.lastOf != ref || c.last == nil {
		all, err := c.view.AllUses(ref)
		if err != nil {
			return nil, err
		}
		c.lastOf, c.last = ref, all
	}
	return rts.UsesOf(c.last, e), nil
}
