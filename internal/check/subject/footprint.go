package subject

import (
	"slices"
	"strings"

	"winnow/internal/check/pool"
	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/technique/methods"
)

// The kinds of entities besides classes and those that all front ends have.
const kindResource rts.Kind = "resource"

// outside is the digest of what cannot be tracked.
var outside = digest.OfString("nothing is known about it")

// A tracer turns what tests did into footprints: methods entered, classes that their bodies name with all supertypes, initializers of what was touched, and what was asked of
// the JDK. It belongs to one revision.
type tracer struct {
	material *Material
	known    map[string]*classInfo
	bodies   map[digest.Digest][]byte
	unseen   map[string][]pool.Method // by class
	ended    map[string]*pool.Outcome
	made     map[*pool.Outcome]*footprint
}

// A footprint is what a test used: as the product sees it, and as whole classes.
type footprint struct{ uses, classes []rts.Use }

// footprint makes the footprint of a test, once.
func (t *tracer) footprint(o *pool.Outcome) (*footprint, error) {
	if f, ok := t.made[o]; ok {
		return f, nil
	}
	m, err := t.test(o)
	if err != nil {
		return nil, err
	}
	f := &footprint{m.all(), m.classesOnly()}
	t.made[o] = f
	return f, nil
}

// A classInfo is a class of the revision.
type classInfo struct {
	name   string
	digest digest.Digest
	table  *table.Table // nil if there is none
	refs   *table.Refs
	above  []*classInfo // itself and its supertypes, without those of the JDK
}

func newTracer(m *Material) *tracer {
	t := &tracer{material: m, known: map[string]*classInfo{}, bodies: map[digest.Digest][]byte{}, unseen: map[string][]pool.Method{}}
	t.ended, t.made = map[string]*pool.Outcome{}, map[*pool.Outcome]*footprint{}
	for i := range m.Recorded.Outcomes {
		t.ended[m.Recorded.Outcomes[i].Test.String()] = &m.Recorded.Outcomes[i]
	}
	for _, method := range m.Recorded.Unprobed {
		t.unseen[method.Class] = append(t.unseen[method.Class], method)
	}
	return t
}

// class looks a class up; nil for one of the JDK.
func (t *tracer) class(name string) (*classInfo, error) {
	if c, ok := t.known[name]; ok {
		return c, nil
	}
	p := t.material.program
	if p.JDK(name) {
		t.known[name] = nil
		return nil, nil
	}
	c := &classInfo{name: name, digest: p.Digest(name)}
	c.above = []*classInfo{c}
	t.known[name] = c
	if c.digest == digest.Absent || c.digest == digest.Unknown {
		return c, nil
	}
	var err error
	if c.table, err = p.Table(name); err != nil {
		return nil, err
	}
	if c.refs, err = p.Refs(name); err != nil {
		return nil, err
	}
	t.bodies[c.digest] = c.table.Append(nil)
	for _, super := range append([]string{c.table.Super}, c.table.Interfaces...) {
		if file, ok := p.Canonical(super); ok {
			super = file
		}
		s, err := t.class(super)
		if err != nil {
			return nil, err
		}
		if s != nil && super != "" {
			c.above = append(c.above, s.above...)
		}
	}
	return c, nil
}

// A mark is what a test covered.
type mark struct {
	t       *tracer
	unit    *pool.Unit
	entries map[*classInfo]map[uint32]bool
	whole   map[*classInfo]bool
	inits   map[string]bool
	uses    []rts.Use
	// narrow is for techniques that know only the classes of entered methods.
	narrow map[*classInfo]bool
}

// test collects what one test used.
func (t *tracer) test(o *pool.Outcome) (*mark, error) {
	m := &mark{t: t, unit: t.material.Recorded.Units[o.Unit], entries: map[*classInfo]map[uint32]bool{}, whole: map[*classInfo]bool{}, inits: map[string]bool{}, narrow: map[*classInfo]bool{}}
	if o.Own != nil {
		if err := m.footprint(o.Own); err != nil {
			return nil, err
		}
	}
	return m, m.reflect(strings.ReplaceAll(o.Test.Class, ".", "/"))
}

func (m *mark) footprint(f *pool.Footprint) error {
	for _, method := range f.Methods {
		if err := m.enter(method); err != nil {
			return err
		}
	}
	for _, e := range f.Events {
		if err := m.event(e); err != nil {
			return err
		}
	}
	return nil
}

func (m *mark) cover(c *classInfo, entry uint32) {
	if m.entries[c] == nil {
		m.entries[c] = map[uint32]bool{}
	}
	m.entries[c][entry] = true
}

// enter adds a method that was entered, with what its body names and the classes in which it looks for a member in vain.
func (m *mark) enter(method pool.Method) error {
	c, err := m.t.class(method.Class)
	if err != nil || c == nil {
		return err
	}
	m.narrow[c] = true
	if err := m.touch(c); err != nil {
		return err
	}
	if c.table == nil {
		m.whole[c] = true
		return nil
	}
	entry, ok := c.table.Entry(method.Name, method.Descriptor)
	if !ok {
		m.whole[c] = true
		return nil
	}
	if m.entries[c][entry] {
		return nil
	}
	m.cover(c, entry)
	refs, ok := c.refs.Method(method.Name, method.Descriptor)
	if !ok {
		return nil
	}
	for _, name := range refs.Classes {
		named, err := m.t.class(name)
		if err != nil {
			return err
		}
		if named != nil {
			if err := m.touch(named); err != nil {
				return err
			}
		}
	}
	return m.vain(method)
}

// vain marks the classes in which a method names a member that is not there.
func (m *mark) vain(method pool.Method) error {
	names, err := m.t.material.program.Unresolved(method.Class, method.Name, method.Descriptor)
	if err != nil {
		return err
	}
	for _, name := range names {
		c, err := m.t.class(name)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		for _, a := range c.above {
			m.cover(a, table.Reflected)
		}
	}
	return nil
}

// touch adds a class with its supertypes, their initializers whenever they ran, and their methods without probes.
func (m *mark) touch(c *classInfo) error {
	for _, a := range c.above {
		if m.entries[a][table.Touched] {
			continue
		}
		m.cover(a, table.Touched)
		for _, method := range m.t.unseen[a.name] {
			if err := m.enter(method); err != nil {
				return err
			}
		}
		if f := m.unit.Inits[a.name]; f != nil && !m.inits[a.name] {
			m.inits[a.name] = true
			if err := m.footprint(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// reflect adds that a class and its supertypes were looked at, with the types of members.
func (m *mark) reflect(name string) error {
	c, err := m.t.class(name)
	if err != nil || c == nil {
		return err
	}
	m.narrow[c] = true
	if err := m.touch(c); err != nil {
		return err
	}
	for _, a := range c.above {
		m.cover(a, table.Reflected)
	}
	if c.table == nil {
		return nil
	}
	var shown []string
	for _, f := range c.table.Fields {
		shown = append(shown, table.DescriptorClasses(f.Descriptor)...)
	}
	for i := range c.table.Methods {
		shown = append(shown, table.DescriptorClasses(c.table.Methods[i].FileDescriptor)...)
	}
	for _, name := range shown {
		s, err := m.t.class(name)
		if err != nil {
			return err
		}
		if s != nil && s.digest != digest.Absent {
			if err := m.touch(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// event adds what was asked of the JDK.
func (m *mark) event(e agent.NamedEvent) error {
	name := strings.ReplaceAll(e.Text, ".", "/")
	switch e.Kind {
	case agent.ClassReflected:
		return m.reflect(name)
	case agent.ClassFound:
		c, err := m.t.class(name)
		if err != nil || c == nil {
			return err
		}
		m.narrow[c] = true
		return m.touch(c)
	case agent.ClassSought:
		if !m.t.material.program.JDK(name) {
			m.use(methods.KindClass, name, m.t.material.program.Digest(name))
		}
	case agent.ResourceSought:
		m.use(kindResource, e.Text, m.t.material.resource(e.Text))
	case agent.PropertyRead, agent.PropertiesRead, agent.VariableRead, agent.VariablesRead:
		// They are those of this process, so the same at all revisions.
	case agent.PropertyWritten, agent.DefaultSet, agent.FileWritten:
		// It matters to those who read it.
	default:
		m.use(rts.KindExternal, e.Kind.String()+" "+e.Text, outside)
	}
	return nil
}

func (m *mark) use(kind rts.Kind, name string, d digest.Digest) {
	m.uses = append(m.uses, rts.Use{Entity: rts.Entity{Kind: kind, Name: name}, Digest: d})
}

// resource is the content of a resource.
func (m *Material) resource(name string) digest.Digest {
	text, ok := m.Resources[strings.TrimPrefix(name, "/")]
	if !ok {
		return digest.Absent
	}
	return digest.OfString(text)
}

// all are the uses of a test.
func (m *mark) all() []rts.Use {
	uses := slices.Clone(m.uses)
	for c, entries := range m.entries {
		u := rts.Use{Entity: rts.Entity{Kind: methods.KindClass, Name: c.name}, Digest: c.digest}
		if c.table != nil && !m.whole[c] {
			for e := range entries {
				u.Entries = append(u.Entries, e)
			}
			slices.Sort(u.Entries)
		}
		uses = append(uses, u)
	}
	return rts.SortUses(uses)
}

// classesOnly are the uses of whole classes of which a method was entered, or that were looked at.
func (m *mark) classesOnly() []rts.Use {
	var uses []rts.Use
	for c := range m.narrow {
		uses = append(uses, rts.Use{Entity: rts.Entity{Kind: methods.KindClass, Name: c.name}, Digest: c.digest})
	}
	return rts.SortUses(uses)
}
