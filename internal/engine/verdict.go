package engine

import (
	"slices"

	"winnow/internal/rts"
)

// changes collects the entities that selected tests name, with the number of tests each one selects.
func changes(decisions []rts.Decision) []rts.Change {
	byEntity := map[rts.Entity]*rts.Change{}
	note := func(e rts.Entity, code rts.Code, tests int) {
		ch := byEntity[e]
		if ch == nil {
			ch = &rts.Change{Entity: e, Code: code}
			byEntity[e] = ch
		}
		ch.Tests += tests
	}
	for i := range decisions {
		d := &decisions[i]
		counted := map[rts.Entity]bool{}
		for _, r := range d.Reasons {
			if r.Entity != (rts.Entity{}) && !counted[r.Entity] {
				counted[r.Entity] = true
				note(r.Entity, r.Code, 1)
			}
		}
		if d.Proof != nil {
			for _, diff := range d.Proof.Differences {
				note(diff.Entity, rts.InputChanged, 0)
			}
		}
	}
	out := make([]rts.Change, 0, len(byEntity))
	for _, ch := range byEntity {
		out = append(out, *ch)
	}
	slices.SortFunc(out, func(a, b rts.Change) int { return a.Entity.Compare(b.Entity) })
	return out
}

// verdicts gives every module its verdict, in the order of modules.
func verdicts(modules []string, decisions []rts.Decision) []rts.ModuleVerdict {
	at := map[string]int{}
	out := make([]rts.ModuleVerdict, len(modules))
	for i, m := range modules {
		at[m] = i
		out[i].Module = m
	}
	common := make([][]rts.Reason, len(modules))
	for i := range decisions {
		d := &decisions[i]
		m, listed := at[d.Test.Module]
		if !listed { // a front end that forgets a module must not hide its tests
			m = len(out)
			at[d.Test.Module] = m
			out = append(out, rts.ModuleVerdict{Module: d.Test.Module})
			common = append(common, nil)
		}
		out[m].Tests++
		if d.Obsolete != "" {
			out[m].Obsolete++
		}
		if d.Selected() {
			out[m].Selected++
			common[m] = shared(common[m], out[m].Selected == 1, d.Reasons)
		}
	}
	for i := range out {
		decide(&out[i], common[i])
	}
	return out
}

func decide(m *rts.ModuleVerdict, common []rts.Reason) {
	switch {
	case m.Tests == 0:
		m.Verdict = rts.NoTests
	case m.Selected == 0 && m.Obsolete == 0:
		m.Verdict = rts.ProvenEmpty
	case m.Selected == m.Tests && len(common) > 0:
		m.Verdict, m.Why = rts.Full, &common[0]
	default:
		m.Verdict = rts.Exact
	}
}

// shared returns the reasons that the tests so far and this one have in common, as far as they are not about the single test.
func shared(sofar []rts.Reason, first bool, reasons []rts.Reason) []rts.Reason {
	var out []rts.Reason
	for _, r := range reasons {
		known := slices.ContainsFunc(sofar, func(s rts.Reason) bool { return s.Code == r.Code && s.Entity == r.Entity })
		if wholesale(r.Code) && (first || known) {
			out = append(out, r)
		}
	}
	return out
}

// wholesale tells whether a reason is one that forces a whole module.
func wholesale(c rts.Code) bool {
	switch c {
	case rts.NoRecord, rts.NotAtBase, rts.Asked, rts.ToolchainChanged, rts.TechniqueAll, rts.Unsupported, rts.EnvChanged:
		return true
	}
	return false
}
