package methods

import (
	"encoding/binary"
	"fmt"
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
	parts   map[string][]move          // by the identities of related changes
	wholes  map[string][]move          // by the identities of all changes of a trace
}

// A move is a call that finds another method than before, as far as it can matter.
type move struct {
	receiver string // a trace that does not touch it is not concerned
	// If owner is set, a trace that did not enter the old target is not concerned.
	owner            string
	name, descriptor string
	by               *change // a class whose declarations differ, for the reason
	why              string
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
	var tr *trace
	for _, s := range scopes {
		moves, err := s.moves(byScope[s])
		if err != nil {
			return nil, err
		}
		if len(moves) == 0 {
			continue
		}
		if tr == nil {
			if tr, err = newTrace(t, changes); err != nil {
				return nil, err
			}
		}
		for _, m := range moves {
			hit, err := tr.concerns(s, m)
			if err != nil {
				return nil, err
			}
			if hit {
				return []rts.Reason{tr.reason(m)}, nil
			}
		}
	}
	return nil, nil
}

// moves returns the calls that find another method if the changes are all that differs.
func (s *scope) moves(changes []*change) ([]move, error) {
	key := keyOf(changes)
	if moves, ok := s.wholes[key]; ok {
		return moves, nil
	}
	var out []move
	for _, part := range s.related(changes) {
		k := keyOf(part)
		moves, ok := s.parts[k]
		if !ok {
			var err error
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
func (s *scope) related(changes []*change) [][]*change {
	var parts [][]*change
	for _, c := range changes {
		part := []*change{c}
		rest := parts[:0:0]
		for _, p := range parts {
			if slices.ContainsFunc(p, func(o *change) bool { return s.share(c, o) }) {
				part = append(part, p...)
			} else {
				rest = append(rest, p)
			}
		}
		slices.SortFunc(part, func(a, b *change) int { return int(a.id) - int(b.id) })
		parts = append(rest, part)
	}
	return parts
}

// share tells whether two classes have a subtype in common.
func (s *scope) share(a, b *change) bool {
	x, y := s.subtypes(a), s.subtypes(b)
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

// subtypes are those of the present program. A class that was a subtype before and is none now has other supertypes, or so has a class between: a trace that touches it is
// affected by that.
func (s *scope) subtypes(c *change) map[string]bool {
	name := table.WorldName(c.now.Name)
	out, ok := s.below[name]
	if !ok {
		out = map[string]bool{}
		for _, sub := range s.program.Subtypes(name) {
			out[sub] = true
		}
		s.below[name] = out
	}
	return out
}

// compute compares the present world with the one in which some classes have their old methods.
func (s *scope) compute(changes []*change) ([]move, error) {
	old := map[string]*hierarchy.Class{}
	byName := map[string]*change{}
	now := s.program.World()
	var names []string
	for _, c := range changes {
		class := c.old.Hierarchy()
		// A class that joined the nest is a class that no old trace has.
		class.NestMembers = c.now.Hierarchy().NestMembers
		old[class.Name], byName[class.Name] = class, c
		names = append(names, class.Name)
		for sub := range s.subtypes(c) {
			now.Know(sub)
		}
	}
	slices.Sort(names)
	before := now.With(old)
	var out []move
	for _, d := range hierarchy.Diff(before, now, names...) {
		m, ok, err := s.move(d, byName)
		if err != nil {
			return nil, err
		}
		if ok {
			m.by = cause(before, d, changes)
			out = append(out, m)
		}
	}
	for _, c := range changes {
		more, err := s.refused(c)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// cause is a changed class to blame: one that declares or declared the method.
func cause(before *hierarchy.World, d hierarchy.Dispatch, changes []*change) *change {
	for _, c := range changes {
		if name := table.WorldName(c.now.Name); name == d.New.Owner || name == d.Old.Owner {
			return c
		}
	}
	above, _ := before.Supertypes(d.Receiver)
	for _, c := range changes {
		if name := table.WorldName(c.now.Name); name == d.Receiver || slices.Contains(above, name) {
			return c
		}
	}
	return changes[0]
}

// move says whom a difference concerns; nobody if there was nothing to find before: recording has noted calls that did not link.
func (s *scope) move(d hierarchy.Dispatch, changed map[string]*change) (move, bool, error) {
	m := move{receiver: d.Receiver, name: d.Name, descriptor: d.Descriptor, why: explain(d)}
	if d.Name == "" {
		return m, true, nil // the receiver cannot be loaded in one of the worlds
	}
	if d.Old.Owner == "" {
		kind := d.Old.Kind()
		return m, kind != hierarchy.None && kind != hierarchy.NoSuchMethod, nil
	}
	t, err := s.declaring(d.Old.Owner, changed)
	if err != nil || t == nil {
		return m, true, err // a method of the JDK
	}
	method, _, ok := t.Method(d.Name, d.Descriptor)
	if !ok || method.Body == digest.Absent {
		return m, true, nil // it is abstract or native, and nobody knows whether it was called
	}
	failed := d.Old.Err != nil && d.Old.Kind() != hierarchy.IllegalAccess && method.Access&classfile.Static == 0
	if !failed {
		m.owner = d.Old.Owner
	}
	return m, true, nil
}

// declaring is the old table of a class of the program, nil for one of the JDK.
func (s *scope) declaring(world string, changed map[string]*change) (*table.Table, error) {
	if c, ok := changed[world]; ok {
		return c.old, nil
	}
	return s.present(world)
}

// present is the present table of a class of the program, nil for one of the JDK.
func (s *scope) present(world string) (*table.Table, error) {
	file, ok := s.program.Canonical(world)
	if !ok {
		return nil, nil
	}
	return s.program.Table(file)
}

// refused finds methods that fewer may call now and whose calls ran another method, or nobody knows which: their callers were not seen in the method itself.
func (s *scope) refused(c *change) ([]move, error) {
	var out []move
	name := table.WorldName(c.now.Name)
	for _, m := range c.narrowed {
		if m.Access&(classfile.Static|classfile.Private) != 0 || m.Name == "<init>" {
			continue
		}
		why := fmt.Sprintf("%s.%s may be called by fewer", c.old.Name, m)
		if m.Body == digest.Absent {
			out = append(out, move{receiver: name, by: c, why: why})
			continue
		}
		for sub := range s.subtypes(c) {
			t, err := s.present(sub)
			if err != nil {
				return nil, err
			}
			if t == nil || sub == name {
				continue
			}
			if _, _, ok := t.Method(m.Name, m.Descriptor); ok {
				out = append(out, move{receiver: name, by: c, why: why})
				break
			}
		}
	}
	return out, nil
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
	uses  []rts.Use // all of them, sorted
	stale []technique.Stale
	// changes are those of stale, as far as these are classes.
	changes []*change
}

func newTrace(t technique.Trace, changes []*change) (*trace, error) {
	uses, err := t.All()
	if err != nil {
		return nil, err
	}
	return &trace{uses: uses, stale: t.Stale, changes: changes}, nil
}

// concerns tells whether a move concerns the trace.
func (t *trace) concerns(s *scope, m move) (bool, error) {
	touched, _, err := t.find(s, m.receiver, "", "")
	if err != nil || !touched || m.owner == "" {
		return touched, err
	}
	_, entered, err := t.find(s, m.owner, m.name, m.descriptor)
	return entered, err
}

// find tells whether the trace used a class, and whether it entered a method of it. Entries count by the table that they were recorded on.
func (t *trace) find(s *scope, world, name, descriptor string) (used, entered bool, err error) {
	for i, c := range t.changes {
		if c.scope != s || c.old == nil || table.WorldName(c.old.Name) != world {
			continue
		}
		used = true
		entered = entered || enters(t.stale[i].Use, c.old, name, descriptor)
	}
	file, ok := s.program.Canonical(world)
	if !ok {
		return used, entered, nil
	}
	now, err := s.program.Table(file)
	if err != nil || now == nil {
		return false, false, err
	}
	e := rts.Entity{Kind: KindClass, Name: s.prefix + file}
	i, _ := slices.BinarySearchFunc(t.uses, e, func(u rts.Use, e rts.Entity) int { return u.Entity.Compare(e) })
	for ; i < len(t.uses) && t.uses[i].Entity == e; i++ {
		if slices.ContainsFunc(t.stale, func(s technique.Stale) bool { return s.Use.Compare(t.uses[i]) == 0 }) {
			continue // of another table
		}
		used = true
		entered = entered || enters(t.uses[i], now, name, descriptor)
	}
	return used, entered, nil
}

func enters(u rts.Use, t *table.Table, name, descriptor string) bool {
	_, entry, ok := t.Method(name, descriptor)
	return ok && covers(u, entry)
}

// reason names the change that makes a call find another method.
func (t *trace) reason(m move) rts.Reason {
	for i, c := range t.changes {
		if c == m.by {
			r := t.stale[i].Reason()
			r.Detail = strings.ReplaceAll(m.why, "\\", "/")
			return r
		}
	}
	return rts.Reason{Code: rts.InputChanged, Detail: m.why}
}
