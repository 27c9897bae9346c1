package verify

import (
	"fmt"
	"slices"

	"winnow/internal/rts"
	"winnow/internal/store"
)

// proof checks one proof.
func (c *checker) proof(d *rts.Decision) ([]Finding, error) {
	about := func(status Status, format string, args ...any) []Finding {
		return []Finding{{Test: d.Test.ID, Status: status, Says: fmt.Sprintf(format, args...)}}
	}
	if d.Test.Always != "" {
		return about(Broken, "the test is %s, and must run always", d.Test.Always), nil
	}
	if d.Proof.Unproven {
		return about(Broken, "a technique that is not safe left it out, and there is no proof"), nil
	}
	var found []store.Stored
	for _, r := range c.records[d.Test.ID] {
		if sameOrigin(r.Meta, d.Proof.Meta) {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return about(c.lost(d), "the store has no record of the test %s", origin(d.Proof.Meta)), nil
	}
	for _, r := range found {
		switch {
		case !r.Outcome.Proves():
			return about(Broken, "the record %s ended as %s", origin(r.Meta), r.Outcome), nil
		case r.Incomplete:
			return about(Broken, "the record %s is incomplete", origin(r.Meta)), nil
		}
	}
	listed := map[rts.Entity]bool{}
	for _, x := range d.Proof.Differences {
		listed[x.Entity] = true
	}
	var all []Finding
	for _, r := range found {
		c.view.Closure(r.Ref, func(ref store.FootprintRef) { c.uses += len(c.footprints[ref].uses) })
		more, err := c.trace(d.Test.ID, r, func(e rts.Entity) bool { return listed[e] })
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	if len(all) == 0 {
		why, err := c.contradicted(d.Test.ID, found[0])
		if err != nil || why != holds {
			return about(why.status, "%s", why.says), err
		}
	}
	return all, nil
}

// lost is the status of a proof whose record is not there. A store keeps the newest of several records that say the same, so a later one may have taken its place.
func (c *checker) lost(d *rts.Decision) Status {
	later := func(r store.Stored) bool { return r.Outcome.Proves() && r.Meta.When.After(d.Proof.Meta.When) }
	if slices.ContainsFunc(c.records[d.Test.ID], later) {
		return Open
	}
	return Broken
}

func sameOrigin(a, b rts.Meta) bool {
	return a.When.Equal(b.When) && a.Revision == b.Revision && a.Dirty == b.Dirty
}

func origin(m rts.Meta) string {
	text := "of " + m.When.UTC().Format("2006-01-02 15:04:05.000")
	if m.Revision != "" {
		text += " at " + m.Revision[:min(len(m.Revision), 9)]
	}
	return text
}

// contradicted looks for another record of the test that did not end well and whose inputs hold as well (S1.5).
func (c *checker) contradicted(id rts.TestID, pass store.Stored) (verdict, error) {
	out := holds
	for _, r := range c.records[id] {
		if r.Outcome.Proves() || r.Outcome == rts.OutcomeNone || r.Incomplete && r.Meta.When.Before(pass.Meta.When) {
			continue
		}
		findings, err := c.trace(id, r, func(rts.Entity) bool { return true })
		if err != nil {
			return out, err
		}
		switch worst(findings) {
		case Holds:
			return brokenBy(fmt.Sprintf("the record %s ended as %s, and its inputs are what they were, too", origin(r.Meta), r.Outcome)), nil
		case Open:
			out = openBy(fmt.Sprintf("the record %s ended as %s, and it cannot be excluded that its inputs are what they were", origin(r.Meta), r.Outcome))
		}
	}
	return out, nil
}

// trace finds what speaks against the uses of a record. Listed tells which differences are said not to matter.
func (c *checker) trace(id rts.TestID, r store.Stored, listed func(rts.Entity) bool) ([]Finding, error) {
	var out []Finding
	var differ []*differing
	var prints []*footprint
	note := func(f Finding) {
		f.Test = id
		out = append(out, f)
	}
	declared, v := c.declared(id, r)
	if v != holds {
		note(Finding{Status: v.status, Says: v.says})
	}
	c.view.Closure(r.Ref, func(ref store.FootprintRef) {
		f := c.footprints[ref]
		prints = append(prints, f)
		for _, x := range f.findings {
			note(x)
		}
		for _, e := range f.outside {
			if !declared {
				note(Finding{Status: Broken, Entity: e, Through: f.label, Says: "nothing is known about it at any time, and no inputs are declared in its place"})
			}
		}
		for _, x := range f.differing {
			if !listed(x.entity) {
				note(Finding{Status: Broken, Entity: x.entity, Through: f.label, Says: "it differs, and the proof does not say so"})
			}
			differ = append(differ, x)
		}
	})
	if worst(out) == Holds && len(differ) > 0 {
		more, err := c.harmless(prints, differ)
		if err != nil {
			return nil, err
		}
		for _, f := range more {
			note(f)
		}
	}
	return distinct(out), nil
}

// distinct removes what is said twice of one entity.
func distinct(list []Finding) []Finding {
	type key struct {
		entity rts.Entity
		says   string
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(list, func(f Finding) bool {
		k := key{f.Entity, f.Says}
		defer func() { seen[k] = true }()
		return seen[k]
	})
}

// declared tells whether inputs are declared for a test. The record must have them (S1.14).
func (c *checker) declared(id rts.TestID, r store.Stored) (bool, verdict) {
	if c.opts.Declared == nil {
		return false, holds
	}
	list := c.opts.Declared(id)
	own := c.footprints[r.Ref]
	for _, e := range list {
		if !slices.ContainsFunc(own.uses, func(u rts.Use) bool { return u.Entity == e }) {
			return true, brokenBy(fmt.Sprintf("the record lacks %s, which is declared for the test", e))
		}
	}
	return len(list) > 0, holds
}

// harmless finds the differences for which the checker has no argument.
func (c *checker) harmless(prints []*footprint, differ []*differing) ([]Finding, error) {
	var out []Finding
	worlds := map[string]*world{}
	argued := map[*comparison]bool{}
	for _, x := range differ {
		if argued[x.comparison] {
			continue
		}
		argued[x.comparison] = true
		open := func(says string) { out = append(out, Finding{Status: Open, Entity: x.entity, Says: says}) }
		if why := x.named(); why != "" {
			open(why)
		}
		if len(x.declared) == 0 {
			continue
		}
		w := worlds[x.scope]
		if w == nil {
			var why string
			if w, why = c.worldOf(x.scope, usesOf(prints)); why != "" {
				open(why)
				return out, nil
			}
			worlds[x.scope] = w
		}
		for _, d := range x.declared {
			why, err := w.argue(x.comparison, d)
			if err != nil {
				return nil, err
			}
			if why != "" {
				open(fmt.Sprintf("method %s%s is declared otherwise: %s", d.name, d.descriptor, why))
			}
		}
	}
	return out, nil
}

func usesOf(prints []*footprint) []rts.Use {
	var out []rts.Use
	for _, f := range prints {
		out = append(out, f.uses...)
	}
	return out
}
