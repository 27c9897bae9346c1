package verify

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/vfs"
)

// Options is what the check needs beside store and selection.
type Options struct {
	// Files looks at files, directories and variables as they are now.
	Files *vfs.Files
	// Settings are what the last run left about its test executions.
	Settings []*Setting
	// Declared lists the inputs that are declared for a test because it does what cannot be tracked; none if nil.
	Declared func(rts.TestID) []rts.Entity
}

// A Status is what became of a proof.
type Status string

const (
	// Holds: everything was found to be as the proof says.
	Holds Status = "holds"
	// Broken: something speaks against it.
	Broken Status = "broken"
	// Open: nothing speaks against it, but the checker could not establish it again.
	Open Status = "open"
)

// A Finding is something that speaks against a proof, or that could not be established again.
type Finding struct {
	Test   rts.TestID
	Status Status
	// Entity is what the finding is about; it has no kind if it is about the record.
	Entity rts.Entity
	// Through says which shared footprint holds the use, "" for the test's own.
	Through string
	Says    string
}

// A Report is the result of a check. Findings are sorted by test.
type Report struct {
	// Proofs is the number of tests that the selection left out.
	Proofs, Held, Broken, Open int
	// Uses is the number of uses of all proofs, Compared the number of those that are stored apart from one another: what proofs share is compared once.
	Uses, Compared int
	// Classes is the number of class files that were digested.
	Classes  int
	Findings []Finding
}

// Check checks every proof of a selection.
func Check(ctx context.Context, v *store.View, sel *rts.Selection, o Options) (rep *Report, err error) {
	c := &checker{
		ctx: ctx, view: v, opts: o, programs: map[string]*program{}, failed: map[string]error{}, tables: map[digest.Digest]recorded{},
		footprints: map[store.FootprintRef]*footprint{}, compared: map[versionOf]*comparison{}, records: map[rts.TestID][]store.Stored{},
	}
	defer c.close(&err)
	if err := c.open(); err != nil {
		return nil, err
	}
	proofs := c.collect(sel)
	if err := c.load(); err != nil {
		return nil, err
	}
	rep = &Report{Proofs: len(proofs)}
	for _, d := range proofs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		findings, err := c.proof(d)
		if err != nil {
			return nil, err
		}
		rep.add(findings)
	}
	c.count(rep)
	slices.SortStableFunc(rep.Findings, func(a, b Finding) int { return strings.Compare(string(a.Test), string(b.Test)) })
	return rep, nil
}

func (r *Report) add(findings []Finding) {
	switch worst(findings) {
	case Holds:
		r.Held++
	case Broken:
		r.Broken++
	case Open:
		r.Open++
	}
	r.Findings = append(r.Findings, findings...)
}

func worst(findings []Finding) Status {
	has := func(s Status) bool {
		return slices.ContainsFunc(findings, func(f Finding) bool { return f.Status == s })
	}
	switch {
	case has(Broken):
		return Broken
	case has(Open):
		return Open
	}
	return Holds
}

// A verdict is what is found about one use.
type verdict struct {
	status Status
	says   string
}

var holds = verdict{status: Holds}

func brokenBy(says string) verdict { return verdict{Broken, says} }
func openBy(says string) verdict   { return verdict{Open, says} }

// A checker checks the proofs of one selection.
type checker struct {
	ctx  context.Context
	view *store.View
	opts Options

	programs   map[string]*program // by scope
	failed     map[string]error    // scopes whose classes cannot be read
	records    map[rts.TestID][]store.Stored
	footprints map[store.FootprintRef]*footprint
	tables     map[digest.Digest]recorded
	compared   map[versionOf]*comparison
	uses       int
}

// A versionOf is a class as it was recorded.
type versionOf struct {
	entity rts.Entity
	digest digest.Digest
}

// A footprint is the uses of one stored footprint, without those that it includes, and what was found about them.
type footprint struct {
	label    string
	uses     []rts.Use
	findings []Finding // of no test
	outside  []rts.Entity
	// differing are the classes that are not what they were although nothing of them that was covered differs.
	differing []*differing
}

type differing struct {
	entity rts.Entity
	*comparison
}

// open opens the programs of all settings.
func (c *checker) open() error {
	for _, s := range c.opts.Settings {
		if _, twice := c.programs[s.Scope]; twice {
			return fmt.Errorf("there are two settings of %s", shownScope(s.Scope))
		}
		p, err := openProgram(s)
		if err != nil {
			c.failed[s.Scope] = err
			continue
		}
		c.programs[s.Scope] = p
	}
	return nil
}

func (c *checker) close(err *error) {
	for _, p := range c.programs {
		if closing := p.close(); *err == nil {
			*err = closing
		}
	}
}

// program returns the program of a scope.
func (c *checker) program(scope string) (*program, verdict) {
	if err := c.failed[scope]; err != nil {
		return nil, brokenBy(fmt.Sprintf("the class path of %s cannot be read: %v", shownScope(scope), err))
	}
	p := c.programs[scope]
	if p == nil {
		return nil, openBy(fmt.Sprintf("the last run left no settings of %s", shownScope(scope)))
	}
	return p, holds
}

// collect finds the decisions to check, and the records of their tests.
func (c *checker) collect(sel *rts.Selection) []*rts.Decision {
	var out []*rts.Decision
	for i := range sel.Decisions {
		if d := &sel.Decisions[i]; !d.Selected() && d.Obsolete == "" {
			out = append(out, d)
			c.records[d.Test.ID] = nil
		}
	}
	c.view.Records(func(r store.Stored) {
		if _, asked := c.records[r.Test]; asked {
			c.records[r.Test] = append(c.records[r.Test], r)
		}
	})
	return out
}

// load reads the footprints of all records, digests the classes that they name, and finds out about each use.
func (c *checker) load() error {
	for _, id := range slices.Sorted(maps.Keys(c.records)) {
		for _, r := range c.records[id] {
			if err := c.loadClosure(r.Ref); err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
		}
	}
	names := map[string]map[string]bool{}
	for _, f := range c.footprints {
		for _, u := range f.uses {
			if u.Entity.Kind != kindClass {
				continue
			}
			scope, local := splitName(u.Entity.Name)
			if names[scope] == nil {
				names[scope] = map[string]bool{}
			}
			names[scope][local] = true
		}
	}
	for scope, list := range names {
		if p := c.programs[scope]; p != nil {
			if err := p.read(sortedKeys(list)); err != nil {
				c.failed[scope] = err
			}
		}
	}
	c.judge()
	return nil
}

func (c *checker) loadClosure(ref store.FootprintRef) (err error) {
	c.view.Closure(ref, func(f store.FootprintRef) {
		if _, ok := c.footprints[f]; ok || err != nil {
			return
		}
		if err = c.ctx.Err(); err != nil {
			return
		}
		label, _ := c.view.Includes(f)
		fp := &footprint{label: label}
		fp.uses, err = c.view.Uses(f)
		c.footprints[f] = fp
	})
	return err
}

// judge finds out about the uses of every footprint.
func (c *checker) judge() {
	for _, f := range c.footprints {
		for _, u := range f.uses {
			v := holds
			switch u.Entity.Kind {
			case kindClass:
				v = c.class(f, u)
			case rts.KindExternal, rts.KindOpaque:
				f.outside = append(f.outside, u.Entity)
			default:
				v = c.input(u)
			}
			if v != holds {
				f.findings = append(f.findings, Finding{Status: v.status, Entity: u.Entity, Through: f.label, Says: v.says})
			}
		}
	}
	for _, x := range c.compared {
		if x.old != nil && x.now != nil && !x.link {
			x.program.know(x.old)
		}
	}
}

// class finds out about the use of a class.
func (c *checker) class(f *footprint, u rts.Use) verdict {
	key := versionOf{u.Entity, u.Digest}
	x := c.compared[key]
	if x == nil {
		x = c.compare(u)
		c.compared[key] = x
	}
	v := x.check(u)
	if v == holds && !x.same {
		f.differing = append(f.differing, &differing{u.Entity, x})
	}
	return v
}

// count adds the figures of the work that was done.
func (c *checker) count(rep *Report) {
	rep.Uses = c.uses
	for _, f := range c.footprints {
		rep.Compared += len(f.uses)
	}
	for _, p := range c.programs {
		rep.Classes += p.digested
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
