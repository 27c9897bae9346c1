package engine

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/store"
	"winnow/internal/store/segment"
	"winnow/internal/technique"
)

// A comparison is a store's view compared with a project: which footprints have a use that differs now.
type comparison struct {
	ctx    context.Context
	engine *Engine
	view   *store.View
	judge  technique.Judge
	// direct are the differing uses of a footprint itself, hit the footprints that reach one through what they include.
	direct map[store.FootprintRef][]difference
	hit    *store.FootprintSet
	judged map[store.FootprintRef]*judgement
	// complete are the differing uses of footprints with their entries, as far as they were asked for.
	complete map[store.FootprintRef]*part
	numbers  map[string]uint32 // by rank and entries
	seen     []uint32          // by number: the last turn of staleOf that saw it
	turn     uint32
	usages   map[rts.Entity]*usage
	proofs   []proven
	lastOf   store.FootprintRef // see amongAll
	last     []rts.Use
}

// A difference is a recorded input that is not what it was.
type difference struct {
	ref   store.InputRef
	stale ranked
}

// A ranked is a differing use with its place among all of them, as Use.Compare has it.
type ranked struct {
	technique.Stale
	rank uint32
}

// A part is the differing uses of a footprint, each with a number that it has in common with all equal ones. If a library is another one, a test has the same differences through thousands of footprints: they are told
// apart by these numbers alone.
type part struct {
	stale   []ranked
	numbers []uint32
}

// A judgement is what is known about one footprint. No reasons means that its inputs hold.
type judgement struct {
	reasons  []rts.Reason
	harmless []rts.Difference
}

// unchanged is the judgement of every footprint in which nothing differs.
var unchanged judgement

func (e *Engine) compare(ctx context.Context, v *store.View) (*comparison, error) {
	c := &comparison{
		ctx: ctx, engine: e, view: v,
		direct: map[store.FootprintRef][]difference{},
		hit:    v.NewSet(),
		judged: map[store.FootprintRef]*judgement{}, complete: map[store.FootprintRef]*part{}, numbers: map[string]uint32{}, usages: map[rts.Entity]*usage{},
	}
	if e.Config.NewJudge != nil {
		c.judge = e.Config.NewJudge(v)
	}
	var all []difference
	v.Stale(e.Project, func(ref store.InputRef, in segment.Input, now digest.Digest) {
		s := technique.Stale{Use: rts.Use{Entity: in.Entity, Digest: in.Digest}, Now: now}
		if e.counts(s) {
			all = append(all, difference{ref, ranked{Stale: s}})
		}
	})
	slices.SortFunc(all, func(a, b difference) int { return a.stale.Use.Compare(b.stale.Use) })
	for i := range all {
		all[i].stale.rank = uint32(i)
		if i > 0 && all[i].stale.Use.Compare(all[i-1].stale.Use) == 0 {
			all[i].stale.rank = all[i-1].stale.rank
		}
	}
	for _, f := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		owners, err := v.Owners(f.ref)
		if err != nil {
			return nil, err
		}
		for _, o := range owners {
			c.direct[o] = append(c.direct[o], f)
		}
	}
	c.spread()
	return c, nil
}

// counts applies the rules that say which differences matter at all. With every rule in force all of them do.
func (e *Engine) counts(s technique.Stale) bool {
	rules := e.Config.Rules
	switch {
	case !rules.Hold(safety.InputsUnchanged) && s.Now != digest.Absent && s.Use.Digest != digest.Absent: // (S1.3)
		return false
	case !rules.Hold(safety.AppearanceCounts) && s.Use.Digest == digest.Absent: // (S1.13)
		return false
	case !rules.Hold(safety.FingerprintCounts) && s.Use.Entity.Kind == rts.KindTool: // (S1.12)
		return false
	case !rules.Hold(safety.UnknownDiffers) && s.Now == digest.Unknown: // (S1.8)
		return false
	}
	return true
}

// spread marks every footprint that includes a differing use, through however many shared footprints (S1.6).
func (c *comparison) spread() {
	var queue []store.FootprintRef
	for f := range c.direct {
		c.hit.Add(f)
		queue = append(queue, f)
	}
	if !c.engine.Config.Rules.Hold(safety.SharedCounts) {
		return
	}
	c.climb(c.hit, queue)
}

// climb adds to a set the footprints that include those of a queue, through however many others.
func (c *comparison) climb(set *store.FootprintSet, queue []store.FootprintRef) {
	for len(queue) > 0 {
		f := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, user := range c.view.IncludedBy(f) {
			if set.Add(user) {
				queue = append(queue, user)
			}
		}
	}
}

// holds tells whether the inputs of a footprint are as they were, or differ in ways that do not matter. A footprint is decided once,
// however many tests share it.
func (c *comparison) holds(ref store.FootprintRef) (*judgement, error) {
	if !c.hit.Has(ref) {
		return &unchanged, nil
	}
	if j, ok := c.judged[ref]; ok {
		return j, nil
	}
	var j *judgement
	var err error
	if bin, ok := c.binOf(ref); ok {
		j, err = c.holds(bin)
	} else {
		j, err = c.decide(ref)
	}
	if err != nil {
		return nil, err
	}
	c.judged[ref] = j
	return j, nil
}

// binOf returns the bin of a footprint: the only footprint it includes, if that has no label and nothing of the footprint's own differs. What
// tests with equal traces share is then decided once. So what a judge needs to decide about a bin must be in the bin; what a test uses beside it
// is compared as a whole.
func (c *comparison) binOf(ref store.FootprintRef) (store.FootprintRef, bool) {
	_, includes := c.view.Includes(ref)
	if len(includes) != 1 || len(c.direct[ref]) > 0 || !c.engine.Config.Rules.Hold(safety.SharedCounts) {
		return ref, false
	}
	return includes[0], c.view.Label(includes[0]) == ""
}

// many is the number of footprints with differences from which on a footprint that includes them is not looked at as a whole before each of them is: they are shared by many tests, and decided once.
const many = 200

// decideByPart looks for a footprint among those that a footprint includes that speaks against it by itself; nil if there is none. What matters to a part matters to the whole.
func (c *comparison) decideByPart(ref store.FootprintRef) (*judgement, error) {
	_, includes := c.view.Includes(ref)
	includes = slices.DeleteFunc(includes, func(g store.FootprintRef) bool { return !c.hit.Has(g) || c.view.Label(g) == "" })
	if len(includes) < many || !c.engine.Config.Rules.Hold(safety.SharedCounts) {
		return nil, nil
	}
	for _, g := range includes {
		if j, err := c.holds(g); err != nil || len(j.reasons) > 0 {
			return j, err
		}
	}
	return nil, nil
}

func (c *comparison) decide(ref store.FootprintRef) (*judgement, error) {
	if j, err := c.decideByPart(ref); err != nil || j != nil {
		return j, err
	}
	stale, err := c.staleOf(ref)
	if err != nil {
		return nil, err
	}
	if c.judge == nil {
		return &judgement{reasons: plainReasons(stale)}, nil
	}
	reasons, harmless, err := c.ask(technique.Trace{
		Stale: stale,
		All:   func() ([]rts.Use, error) { return c.view.AllUses(ref) },
		Of:    func(e rts.Entity) ([]rts.Use, error) { return c.usesOf(ref, e) },
	})
	if err != nil {
		if !c.engine.Config.Rules.Hold(safety.ErrorSelects) {
			return &judgement{}, nil
		}
		// What the technique cannot decide is selected, with every difference named (S1.11).
		return &judgement{reasons: append([]rts.Reason{{Code: rts.InternalError, Detail: err.Error()}}, plainReasons(stale)...)}, nil
	}
	return &judgement{distinct(reasons), harmless}, nil
}

// distinct drops reasons that say the same about the same entity, whatever the way to it.
func distinct(reasons []rts.Reason) []rts.Reason {
	type statement struct {
		code   rts.Code
		entity rts.Entity
		detail string
	}
	seen := make(map[statement]bool, len(reasons)) // a library that is another one is thousands of reasons
	var out []rts.Reason
	for _, r := range reasons {
		if says := (statement{r.Code, r.Entity, r.Detail}); !seen[says] {
			seen[says] = true
			out = append(out, r)
		}
	}
	return out
}

// staleOf collects the differing uses of a footprint and of everything it includes, each once, with the first way to it. A footprint without a label is part of those that include it: what differs in it is told
// as theirs.
func (c *comparison) staleOf(ref store.FootprintRef) ([]technique.Stale, error) {
	type place struct {
		rank, turn uint32
		of         *ranked
	}
	var places []place
	c.turn++
	var failed error
	c.view.Within(ref, func(f store.FootprintRef) bool {
		if !c.hit.Has(f) || failed != nil {
			return false // what it includes is not hit either
		}
		if f != ref && c.view.Label(f) == "" {
			return true
		}
		own, err := c.staleIn(f)
		if err != nil {
			failed = err
			return false
		}
		for i, n := range own.numbers {
			if c.seen[n] != c.turn {
				c.seen[n] = c.turn
				places = append(places, place{own.stale[i].rank, uint32(len(places)), &own.stale[i]})
			}
		}
		return true
	})
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.turn, b.turn)) })
	out := make([]technique.Stale, len(places))
	for i, p := range places {
		out[i] = p.of.Stale
	}
	return out, failed
}

// number is the number of a differing use.
func (c *comparison) number(s *ranked) uint32 {
	key := binary.BigEndian.AppendUint32(nil, s.rank)
	if s.Use.Entries != nil { // without entries it is the whole entity
		key = append(key, 1)
	}
	for _, e := range s.Use.Entries {
		key = binary.BigEndian.AppendUint32(key, e)
	}
	n, known := c.numbers[string(key)]
	if !known {
		n = uint32(len(c.numbers))
		c.numbers[string(key)] = n
		c.seen = append(c.seen, 0)
	}
	return n
}

// staleIn completes the differing uses of a footprint itself, with its parts. Footprints are included many times, so each is read once.
func (c *comparison) staleIn(f store.FootprintRef) (*part, error) {
	if out, ok := c.complete[f]; ok {
		return out, nil
	}
	direct := c.direct[f]
	label, includes := c.view.Includes(f)
	entries, err := c.entriesOf(f, direct)
	if err != nil {
		return nil, err
	}
	out := make([]ranked, len(direct))
	for i, d := range direct {
		out[i] = d.stale
		out[i].Through = label
		out[i].Use = c.recordedOn(d.stale.Use, entries[i])
	}
	for _, g := range includes {
		if !c.hit.Has(g) || c.view.Label(g) != "" {
			continue
		}
		in, err := c.staleIn(g)
		if err != nil {
			return nil, err
		}
		out = append(out, in.stale...)
	}
	if len(out) > len(direct) {
		out = joined(out, label)
	}
	of := &part{stale: out, numbers: make([]uint32, len(out))}
	for i := range out {
		of.numbers[i] = c.number(&out[i])
	}
	c.complete[f] = of
	return of, nil
}

// joined makes the differing uses of parts those of the footprint with a label. Of two uses of the same entity and digest the wider one counts.
func joined(stale []ranked, label string) []ranked {
	slices.SortStableFunc(stale, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	out := stale[:0]
	for _, s := range stale {
		s.Through = label
		if n := len(out); n > 0 && out[n-1].rank == s.rank {
			out[n-1].Use = rts.SortUses([]rts.Use{out[n-1].Use, s.Use})[0]
			continue
		}
		out = append(out, s)
	}
	return out
}

// entriesOf returns, for each differing use of a footprint itself, the entries of a body that it is narrowed to, nil if it is not. Without a judge nobody asks for them.
func (c *comparison) entriesOf(f store.FootprintRef, direct []difference) ([][]uint32, error) {
	if c.judge == nil || len(direct) == 0 {
		return make([][]uint32, len(direct)), nil
	}
	refs := make([]store.InputRef, len(direct))
	for i, d := range direct {
		refs[i] = d.ref
	}
	return c.view.Entries(f, refs)
}

// recordedOn completes a use with its entries. They are meant relative to the body that this very record saw, whatever other
// records or revisions came since (S1.4).
func (c *comparison) recordedOn(u rts.Use, entries []uint32) rts.Use {
	u.Entries = entries
	if !c.engine.Config.Rules.Hold(safety.OwnRevision) {
		u.Digest = c.newestVersion(u.Entity, u.Digest)
	}
	return u
}

// newestVersion is what a tool compares with that keeps one version of everything; it serves to show that (S1.4) is needed.
func (c *comparison) newestVersion(e rts.Entity, d digest.Digest) digest.Digest {
	c.view.Inputs(e, func(_ store.InputRef, version digest.Digest) { d = version })
	return d
}

// ask calls the judge; a panic in it is an error like any other.
func (c *comparison) ask(t technique.Trace) (reasons []rts.Reason, harmless []rts.Difference, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicError{p}
		}
	}()
	return c.judge.Judge(t)
}

func plainReasons(stale []technique.Stale) []rts.Reason {
	reasons := make([]rts.Reason, len(stale))
	for i, s := range stale {
		reasons[i] = s.Reason()
	}
	return reasons
}
