package inspect

import (
	"slices"
	"strings"

	"winnow/internal/jvm/classfile"
)

// partDiff explains how a part differs by the facts that do.
func partDiff(o, n *file, part, kind, opaque string) (*PartDiff, error) {
	before, err := o.facts(part)
	if err != nil {
		return nil, err
	}
	after, err := n.facts(part)
	if err != nil {
		return nil, err
	}
	p := &PartDiff{Part: part, Kind: kind}
	passed := p.compare(before, after, func(owner string) bool { return hasMember(o, owner) && hasMember(n, owner) })
	switch {
	case len(p.Details) > 0:
	case opaque != "":
		p.Says = "every part of an opaque class covers the whole file"
	case passed || !slices.Equal(memberNames(o), memberNames(n)):
		p.Says = followsFromMembers
	default:
		p.Says = "nothing that this view can put into words"
	}
	return p, nil
}

// dropKnown removes the details that earlier parts have: reflection shows the flags of methods too.
func (p *PartDiff) dropKnown(earlier []PartDiff) {
	if len(p.Details) == 0 {
		return
	}
	p.Details = slices.DeleteFunc(p.Details, func(d Detail) bool {
		return slices.ContainsFunc(earlier, func(e PartDiff) bool { return slices.Contains(e.Details, d) })
	})
	if len(p.Details) == 0 {
		p.Details, p.Says = nil, "shows the same differences"
	}
}

// followsFromMembers says why a part differs that lists members.
const followsFromMembers = "follows from members that were added, removed, renamed or moved"

// memberNames are the fields and methods in the order of the file.
func memberNames(f *file) []string {
	c := f.parsed // facts were told before
	var out []string
	for _, members := range [2][]classfile.Member{c.Fields, c.Methods} {
		for i := range members {
			name, desc := c.MemberName(&members[i])
			out = append(out, name+" "+desc)
		}
	}
	return out
}

// hasMember tells whether a class has the field or method that a fact is about.
func hasMember(f *file, owner string) bool {
	if owner == "" {
		return true
	}
	return f.owners()[owner]
}

// compare adds the facts that differ. It passes over those about members that only one side has, and over orders of different things, and tells whether it did.
func (p *PartDiff) compare(before, after []Fact, both func(owner string) bool) (passed bool) {
	old, new := byWhat(before), byWhat(after)
	for _, f := range before {
		now, ok := new[f.What]
		switch {
		case ok && now.Value == f.Value:
		case !both(f.owner), strings.HasPrefix(f.What, orderPrefix) && !(ok && sameThings(f.Value, now.Value)):
			passed = true
		case ok:
			p.Details = append(p.Details, Detail{"~", f.What, f.Value, now.Value})
		default:
			p.Details = append(p.Details, Detail{Op: "-", What: f.What, Old: f.Value})
		}
	}
	for _, f := range after {
		if _, ok := old[f.What]; ok {
			continue
		}
		if !both(f.owner) || strings.HasPrefix(f.What, orderPrefix) {
			passed = true
			continue
		}
		p.Details = append(p.Details, Detail{Op: "+", What: f.What, New: f.Value})
	}
	return passed
}

func byWhat(facts []Fact) map[string]Fact {
	out := map[string]Fact{}
	for _, f := range facts {
		out[f.What] = f
	}
	return out
}

// sameThings tells whether two lists hold the same things.
func sameThings(a, b string) bool {
	x, y := strings.Split(a, ", "), strings.Split(b, ", ")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
