package project

import (
	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

// A class is what is known of a class that a process used.
type class struct {
	name   string
	entity rts.Entity
	digest digest.Digest // Absent if the class path does not have it
	table  *table.Table  // nil if it is absent or cannot be read
	refs   *table.Refs
	// same: the class that the process defined is the one on the class path.
	same  bool
	above []int // itself and all supertypes that are no classes of the JDK
	inits []*agent.Footprint
	// unseen are methods without a probe: they count as entered when the class is touched.
	unseen []uint32
}

// A contribution is what entering a method adds to a footprint.
type contribution struct {
	class   int
	entry   uint32
	whole   bool
	touched []int // classes that the body names, with their supertypes
	members []int // classes in which it looks for a member in vain
	turn    int   // the last stretch in which it was entered
}

// contributions are those of methods, by id in the plan. A plan has the methods of all libraries, and a process enters few of them, mostly side by side: so there are pages, each made when it is needed.
type contributions [][]*contribution

const contributionPage = 256

func newContributions(ids int) contributions {
	return make(contributions, ids/contributionPage+1)
}

// of is nil if nothing is known of the method.
func (c contributions) of(id int) *contribution {
	page := c[id/contributionPage]
	if page == nil {
		return nil
	}
	return page[id%contributionPage]
}

func (c contributions) set(id int, m *contribution) {
	page := &c[id/contributionPage]
	if *page == nil {
		*page = make([]*contribution, contributionPage)
	}
	(*page)[id%contributionPage] = m
}

// A census knows the classes of one process.
type census struct {
	scope   scope
	program *table.Program
	plan    *agent.Plan
	trace   *agent.Trace
	classes []class
	byName  map[string]int
	methods contributions
	rules   safety.Rules
}

func newCensus(s scope, program *table.Program, plan *agent.Plan, trace *agent.Trace, rules safety.Rules) *census {
	return &census{rules: rules, scope: s, program: program, plan: plan, trace: trace, byName: map[string]int{}, methods: newContributions(plan.IDs())}
}

// class returns the number of a class, or -1 for one of the JDK.
func (c *census) class(name string) (int, error) {
	if i, ok := c.byName[name]; ok {
		return i, nil
	}
	if c.program.JDK(name) {
		c.byName[name] = -1
		return -1, nil
	}
	i := len(c.classes)
	c.byName[name] = i
	c.classes = append(c.classes, class{name: name, entity: c.scope.entity(Class, name), digest: c.program.Digest(name), above: []int{i}})
	if c.classes[i].digest == digest.Absent || c.classes[i].digest == digest.Unknown {
		return i, nil
	}
	t, err := c.program.Table(name)
	if err != nil {
		return 0, err
	}
	refs, err := c.program.Refs(name)
	if err != nil {
		return 0, err
	}
	above, err := c.above(i, t)
	if err != nil {
		return 0, err
	}
	of := &c.classes[i] // the slice may have grown
	of.table, of.refs, of.above, of.same = t, refs, above, true
	return i, c.join(i)
}

// above lists a class and its supertypes.
func (c *census) above(i int, t *table.Table) ([]int, error) {
	above := []int{i}
	for _, s := range append([]string{t.Super}, t.Interfaces...) {
		if s == "" {
			continue
		}
		if file, ok := c.program.Canonical(s); ok {
			s = file
		}
		j, err := c.class(s)
		if err != nil {
			return nil, err
		}
		if j >= 0 {
			above = append(above, c.classes[j].above...)
		}
	}
	return above, nil
}

// join adds what the process tells about a class: its initializers, and its methods without probes, which count as entered when the class is touched.
func (c *census) join(i int) error {
	name := c.classes[i].name
	for _, k := range c.plan.ClassNamed(name) {
		if f := c.trace.Inits[k]; f != nil {
			c.classes[i].inits = append(c.classes[i].inits, f)
		}
		for _, m := range c.plan.Detail(k).Unprobed {
			e, ok := c.classes[i].table.Entry(m.Name, m.Descriptor)
			if !ok {
				continue
			}
			touched, err := c.touched(i, m.Name, m.Descriptor)
			if err != nil {
				return err
			}
			of := &c.classes[i]
			of.unseen, of.above = append(of.unseen, e), append(of.above, touched...)
		}
	}
	return nil
}

// touched lists the classes that a method names, with their supertypes.
func (c *census) touched(of int, name, descriptor string) ([]int, error) {
	refs, ok := c.classes[of].refs.Method(name, descriptor)
	if !ok || !c.rules.Hold(safety.NamedCounts) { // (S8.1)
		return nil, nil
	}
	var out []int
	for _, named := range refs.Classes {
		i, err := c.class(named)
		if err != nil {
			return nil, err
		}
		if i >= 0 {
			out = append(out, c.classes[i].above...)
		}
	}
	return out, nil
}

// method returns what entering a method adds, by its id in the plan.
func (c *census) method(id int) (*contribution, error) {
	if id < 0 || id >= c.plan.IDs() {
		return nil, agent.ErrLog
	}
	if m := c.methods.of(id); m != nil {
		return m, nil
	}
	of, ok := c.plan.Method(id)
	if !ok {
		return nil, agent.ErrLog
	}
	i, err := c.class(of.Class)
	if err != nil {
		return nil, err
	}
	m := &contribution{class: i}
	c.methods.set(id, m)
	if i < 0 {
		return m, nil
	}
	if c.classes[i].table == nil || c.program.Content(of.Class) != of.ClassDigest && c.rules.Hold(safety.OtherClassDiffers) { // (S8.5)
		// The process had another class of this name than the class path gives.
		c.classes[i].same = false
		m.whole = true
		return m, nil
	}
	if of.Name == "" {
		m.whole = true
		m.touched, err = c.allTouched(i)
		return m, err
	}
	if m.entry, ok = c.classes[i].table.Entry(of.Name, of.Descriptor); !ok {
		m.whole = true
		return m, nil
	}
	if m.touched, err = c.touched(i, of.Name, of.Descriptor); err != nil {
		return nil, err
	}
	m.touched = append(m.touched, c.classes[i].above...)
	return m, c.unlinked(m, of)
}

// unlinked adds the classes in which the method names a member that is not there: it may appear (S8.7).
func (c *census) unlinked(m *contribution, of agent.Method) error {
	classes, err := c.program.Unresolved(of.Class, of.Name, of.Descriptor)
	if err != nil {
		return err
	}
	for _, name := range classes {
		i, err := c.class(name)
		if err != nil {
			return err
		}
		if i >= 0 {
			m.members = append(m.members, c.classes[i].above...)
		}
	}
	return nil
}

// allTouched lists the classes that any method of a class names.
func (c *census) allTouched(i int) ([]int, error) {
	out := c.classes[i].above
	if c.classes[i].table == nil {
		return out, nil
	}
	for _, m := range c.classes[i].table.Methods {
		more, err := c.touched(i, m.FileName, m.FileDescriptor)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// other is the digest of a class that is not the one on the class path: no class ever has it (S8.5).
func (of *class) other() digest.Digest {
	return digest.OfString("another class than " + of.name + " on the class path")
}
