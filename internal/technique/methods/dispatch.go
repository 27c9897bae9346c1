package methods

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/technique"
)

// A scope is a program with what is known about its dispatch.
type scope struct {
	prefix  string
	program Program
	below   map[string]map[string]bool // subtypes of a class
	parts   map[string][]family        // by the identities of related changes
	wholes  map[string][]family        // by the identities of all changes of a trace
	classes map[string]*present
}

// A present is a class of the present program under its world name.
type present struct {
	entity rts.Entity
	table  *table.Table // nil if the program has no such class
}

// A method is a method of a class, by world name.
type method struct{ owner, name, descriptor string }

// A family is the calls that found one method and now find others. If the method is the zero one, nobody knows whether it was entered.
type family struct {
	old   method
	moves []move
}

// A move is a call that finds another method than before, as far as it can matter.
type move struct {
	receiver string  // a trace that does not touch it is not concerned
	by       *change // a class whose declarations differ, for the reason
	why      string
}

// dispatch tells whether a call of the trace finds another method now (S7.4).
func (j *judge) dispatch(t technique.Trace, changes []*change) ([]rts.Reason, error) {
	if !j.rules.Hold(Dispatch) {
		return nil, nil
	}
	byScope := map[*scope][]*change{}
	var scopes []*scope
	for _, c := range changes {
		if c.undecided != "" || c.link != "" || !c.declared {
			continue // the first two matter by themselves
		}
		if byScope[c.scope] == nil {
			scopes = append(scopes, c.scope)
		}
		byScope[c.scope] = append(byScope[c.scope], c)
	}
	tr := &trace{of: t.Of, stale: t.Stale, changes: changes}
	for _, s := range scopes {
		moves, err := s.moves(byScope[s])
		if err != nil {
			return nil, err
		}
		for _, f := range moves {
			m, err := tr.concerned(s, f)
			if err != nil {
				return nil, err
			}
			if m != nil {
				return []rts.Reason{tr.reason(m)}, nil
			}
		}
	}
	return nil, nil
}

// moves returns the calls that find another method if the changes are all that differs.
func (s *scope) moves(changes []*change) ([]family, error) {
	key := keyOf(changes)
	if moves, ok := s.wholes[key]; ok {
		return moves, nil
	}
	parts, err := s.related(changes)
	if err != nil {
		return nil, err
	}
	var out []family
	for _, part := range parts {
		k := keyOf(part)
		moves, ok := s.parts[k]
		if !ok {
			if moves, err = s.compute(part); err != nil {
				return nil, err
			}
			s.parts[k] = moves
		}
		out = append(out, moves...)
	}
	s.wholes[key] = out
	return out, nil
}

func keyOf(changes []*change) string {
	b := make([]byte, 0, 4*len(changes))
	for _, c := range changes {
		b = binary.LittleEndian.AppendUint32(b, c.id)
	}
	return string(b)
}

// related cuts changes into parts that share no receiver: what a call finds depends on the supertypes of its receiver only.
func (s *scope) related(changes []*change) ([][]*change, error) {
	var parts [][]*change
	for _, c := range changes {
		if err := s.learn(c); err != nil {
			return nil, err
		}
		part := []*change{c}
		var rest [][]*change
		for _, p := range parts {
			if slices.ContainsFunc(p, func(o *change) bool { return s.share(c, o) }) {
				part = append(part, p...)
			} else {
				rest = append(rest, p)
			}
		}
		slices.SortFunc(part, func(a, b *change) int { return cmp.Compare(a.id, b.id) })
		parts = append(rest, part)
	}
	return parts, nil
}

// share tells whether two classes have a subtype in common.
func (s *scope) share(a, b *change) bool {
	x, y := s.below[a.world], s.below[b.world]
	if len(x) > len(y) {
		x, y = y, x
	}
	for name := range x {
		if y[name] {
			return true
		}
	}
	return false
}

// learn finds the subtypes of a changed class in the present program. A class that was a subtype before and is none now has other supertypes, or so has a class
// between: a trace that touches it is affected by that.
func (s *scope) learn(c *change) error {
	if s.below[c.world] != nil {
		return nil
	}
	names, err := s.program.Subtypes(c.world)
	if err != nil {
		return err
	}
	all := map[string]bool{}
	for _, sub := range names {
		all[sub] = true
	}
	s.below[c.world] = all
	return nil
}

// compute compares the present world with the one in which some classes have their old methods.
func (s *scope) compute(changes []*change) ([]family, error) {
	old := map[string]*hierarchy.Class{}
	byName := map[string]*change{}
	now := s.program.World()
	for _, c := range changes {
		class := c.old.Hierarchy()
		// A class that joined the nest is a class that no old trace has.
		class.NestMembers = c.now.Hierarchy().NestMembers
		old[c.world], byName[c.world] = class, c
		now.Know(slices.Sorted(maps.Keys(s.below[c.world]))...)
	}
	before := now.With(old)
	families := map[method][]move{}
	for _, d := range hierarchy.Diff(before, now, slices.Sorted(maps.Keys(old))...) {
		target, matters, err := s.target(d, byName)
		if err != nil {
			return nil, err
		}
		if matters {
			families[target] = append(families[target], move{d.Receiver, cause(before, d, changes), explain(d)})
		}
	}
	for _, c := range changes {
		more, err := s.refused(c)
		if err != nil {
			return nil, err
		}
		families[method{}] = append(families[method{}], more...)
	}
	return sorted(families), nil
}

func sorted(families map[method][]move) []family {
	var out []family
	for m, moves := range families {
		if len(moves) > 0 {
			out = append(out, family{m, moves})
		}
	}
	slices.SortFunc(out, func(a, b family) int {
		return cmp.Or(cmp.Compare(a.old.owner, b.old.owner), cmp.Compare(a.old.name, b.old.name), cmp.Compare(a.old.descriptor, b.old.descriptor))
	})
	return out
}

// cause is a changed class to blame: one that declares or declared the method.
func cause(before *hierarchy.World, d hierarchy.Dispatch, changes []*change) *change {
	for _, c := range changes {
		if c.world == d.New.Owner || c.world == d.Old.Owner {
			return c
		}
	}
	above, _ := before.Supertypes(d.Receiver)
	for _, c := range changes {
		if c.world == d.Receiver || slices.Contains(above, c.world) {
			return c
		}
	}
	return changes[0]
}

// target is the method that a call found. The zero method means that nobody knows whether it was entered: it is of the JDK, abstract or native, or the call was an
// error. The difference does not matter if there was nothing to find: recording has noted calls that did not link.
func (s *scope) target(d hierarchy.Dispatch, changed map[string]*change) (m method, matters bool, err error) {
	if d.Name == "" {
		return method{}, true, nil // the receiver cannot be loaded in one of the worlds
	}
	if d.Old.Owner == "" {
		kind := d.Old.Kind()
		return method{}, kind != hierarchy.None && kind != hierarchy.NoSuchMethod, nil
	}
	t, err := s.before(d.Old.Owner, changed)
	if err != nil || t == nil {
		return method{}, true, err
	}
	old, _, ok := t.Method(d.Name, d.Descriptor)
	if !ok || old.Body == digest.Absent {
		return method{}, true, nil
	}
	// The call is thought of as one on an object, which fails for static methods; and where access is refused a JVM may be told not to.
	if d.Old.Err != nil && d.Old.Kind() != hierarchy.IllegalAccess && old.Access&classfile.Static == 0 {
		return method{}, true, nil
	}
	return method{d.Old.Owner, d.Name, d.Descriptor}, true, nil
}

// before is the old table of a class of the program, nil for one of the JDK.
func (s *scope) before(world string, changed map[string]*change) (*table.Table, error) {
	if c, ok := changed[world]; ok {
		return c.old, nil
	}
	p, err := s.class(world)
	if err != nil {
		return nil, err
	}
	return p.table, nil
}

// class finds a class of the present program.
func (s *scope) class(world string) (*present, error) {
	if p, ok := s.classes[world]; ok {
		return p, nil
	}
	p := &present{}
	if file, ok := s.program.Canonical(world); ok {
		t, err := s.program.Table(file)
		if err != nil {
			return nil, err
		}
		p.table, p.entity = t, rts.Entity{Kind: KindClass, Name: s.prefix + file}
	}
	s.classes[world] = p
	return p, nil
}

// refused finds methods that fewer may call now and whose calls ran another method, or nobody knows which: their callers were not seen in the method itself.
func (s *scope) refused(c *change) ([]move, error) {
	var out []move
	for _, m := range c.narrowed {
		if m.Access&(classfile.Static|classfile.Private) != 0 || m.Name == "<init>" {
			continue
		}
		elsewhere, err := s.overridden(c, m)
		if err != nil {
			return nil, err
		}
		if elsewhere || m.Body == digest.Absent {
			out = append(out, move{c.world, c, fmt.Sprintf("%s.%s may be called by fewer", c.old.Name, m)})
		}
	}
	return out, nil
}

// overridden tells whether a subtype of a class declares a method, too.
func (s *scope) overridden(c *change, m *table.Method) (bool, error) {
	for sub := range s.below[c.world] {
		if sub == c.world {
			continue
		}
		p, err := s.class(sub)
		if err != nil {
			return false, err
		}
		if p.table == nil {
			continue
		}
		if _, _, ok := p.table.Method(m.Name, m.Descriptor); ok {
			return true, nil
		}
	}
	return false, nil
}

// explain says in words what a difference is.
func explain(d hierarchy.Dispatch) string {
	if d.Name == "" {
		return fmt.Sprintf("%s cannot be loaded: %v", d.Receiver, firstError(d))
	}
	return fmt.Sprintf("%s.%s%s is now %s instead of %s", d.Receiver, d.Name, d.Descriptor, target(d.New, "found in "), target(d.Old, ""))
}

func firstError(d hierarchy.Dispatch) error {
	if d.New.Err != nil {
		return d.New.Err
	}
	return d.Old.Err
}

func target(t hierarchy.Target, in string) string {
	switch {
	case t.Owner != "":
		return in + t.Owner
	case t.Err != nil:
		return t.Kind().String()
	}
	return in + "no class"
}

// A trace is a trace with what it takes to ask about classes by name.
type trace struct {
	of    func(rts.Entity) ([]rts.Use, error)
	stale []technique.Stale
	// changes are those of stale, as far as these are classes.
	changes []*change
}

// concerned finds a move of a family that concerns the trace, nil if there is none.
func (t *trace) concerned(s *scope, f family) (*move, error) {
	if f.old != (method{}) {
		entered, err := t.entered(s, f.old)
		if err != nil || !entered {
			return nil, err
		}
	}
	for i := range f.moves {
		touched, err := t.touched(s, f.moves[i].receiver)
		if err != nil {
			return nil, err
		}
		if touched {
			return &f.moves[i], nil
		}
	}
	return nil, nil
}

func (t *trace) touched(s *scope, world string) (bool, error) {
	found := false
	err := t.each(s, world, func(rts.Use, *table.Table) { found = true })
	return found, err
}

func (t *trace) entered(s *scope, m method) (bool, error) {
	found := false
	err := t.each(s, m.owner, func(u rts.Use, tab *table.Table) { found = found || enters(u, tab, m.name, m.descriptor) })
	return found, err
}

// each gives the uses of a class, each with the table that its entries are meant by.
func (t *trace) each(s *scope, world string, do func(rts.Use, *table.Table)) error {
	for i, c := range t.changes {
		if c.scope == s && c.world == world {
			do(t.stale[i].Use, c.old)
		}
	}
	p, err := s.class(world)
	if err != nil || p.table == nil {
		return err
	}
	uses, err := t.of(p.entity)
	for _, u := range uses {
		if !slices.ContainsFunc(t.stale, func(s technique.Stale) bool { return s.Use.Compare(u) == 0 }) {
			do(u, p.table)
		}
	}
	return err
}

func enters(u rts.Use, t *table.Table, name, descriptor string) bool {
	_, entry, ok := t.Method(name, descriptor)
	return ok && covers(u, entry)
}

// reason names the change that makes a call find another method.
func (t *trace) reason(m *move) rts.Reason {
	for i, c := range t.changes {
		if c == m.by {
			r := t.stale[i].Reason()
			r.Detail = strings.ReplaceAll(m.why, "\\", "/")
			return r
		}
	}
	return rts.Reason{Code: rts.InputChanged, Detail: m.why}
}
