package project

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/state"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

// A recorder turns what one process did into footprints. Each footprint of the trace becomes one shared footprint at most.
type recorder struct {
	*census
	sink    rts.Sink
	events  *events
	shared  map[*agent.Footprint]int
	inits   map[*agent.Footprint]int // numbers of groups of initializers
	seen    []int                    // by class: the last stretch that touched it
	turn    int
	ahead   map[*agent.Footprint]*stretch // by the first footprint of each; see lookAhead
	runs    []*testRun                    // in the order in which they began
	own     map[*agent.Footprint]string   // the tests whose own footprints these are, by their groups
	bodies  map[int]bool
	coarse  map[int]int   // shared footprints of classes without probes, by their number
	without []coarseClass // those of the program; nil if they have not been looked for
	// harnessed is the footprint of the classes that ran the tests; nil if it has not been made.
	harnessed []int
	groups    map[string]bool // classes that have a group of Jupiter's of their own
	// needs are what filled the state that a test depends on.
	needs map[*agent.TestTrace][]*agent.Footprint
	parts map[*agent.Footprint][]*agent.Footprint // by filling
	known map[partKey]*agent.Footprint
	// filledBy has, for parts of fillings that have only the events of a footprint, that footprint.
	filledBy map[*agent.Footprint]*agent.Footprint
	noted    map[*agent.Footprint]*state.Notes
	left     map[*agent.TestTrace][]int // what it would have found of absent tests; see absent
	// library has the class files; nil if they are not known. Lookers are methods, and looking footprints, that may look at members of classes: see looks.
	library *library
	lookers map[int]bool
	looking map[*agent.Footprint]bool
	seeking map[*agent.Footprint]bool     // see seeksClasses
	kept    *kept                         // what the JDK keeps; nil if that is not known
	sources map[*agent.Footprint][]writer // see readsFrom
	before  map[*agent.Footprint]bool     // see ranBefore
	shows   map[int]*showing              // by class
	natives *natives                      // nil if the process loads no native libraries, or that is not known
}

// A stretch is a footprint in the making.
type stretch struct {
	from    []*agent.Footprint
	covered []uint64 // class << 32 | entry
	whole   map[int]bool
	inits   map[*agent.Footprint]bool // initializers, and fillings of state
}

func (s *stretch) cover(class int, entry uint32) {
	s.covered = append(s.covered, uint64(class)<<32|uint64(entry))
}

// distinct sorts what is covered.
func (s *stretch) distinct() []uint64 {
	slices.Sort(s.covered)
	s.covered = slices.Compact(s.covered)
	return s.covered
}

func newRecorder(c *census, sink rts.Sink, ev *events) *recorder {
	return &recorder{census: c, sink: sink, events: ev, shared: map[*agent.Footprint]int{}, inits: map[*agent.Footprint]int{}, bodies: map[int]bool{}, coarse: map[int]int{}, groups: map[string]bool{}, needs: map[*agent.TestTrace][]*agent.Footprint{},
		parts: map[*agent.Footprint][]*agent.Footprint{}, known: map[partKey]*agent.Footprint{}, filledBy: map[*agent.Footprint]*agent.Footprint{}, lookers: map[int]bool{}, looking: map[*agent.Footprint]bool{}, seeking: map[*agent.Footprint]bool{}, sources: map[*agent.Footprint][]writer{}, shows: map[int]*showing{}}
}

// aheadOf bounds what lookAhead keeps.
const aheadOf = 1 << 24

// lookAhead collects what each test used, and what the footprints that they share did. It needs nothing of what the tests inherit, so that it can be done beside finding that out.
func (r *recorder) lookAhead() error {
	all := [][]*agent.Footprint{{r.trace.Process}}
	shared := map[*agent.Footprint]bool{r.trace.Process: true}
	for _, run := range r.runs {
		for _, f := range run.traces[0].Shared {
			if !shared[f] {
				shared[f] = true
				all = append(all, []*agent.Footprint{f})
			}
		}
		all = append(all, run.own())
	}
	for _, f := range r.trace.Inits {
		all = append(all, []*agent.Footprint{f})
	}
	ahead, kept := map[*agent.Footprint]*stretch{}, 0
	for _, of := range all {
		s, err := r.stretch(of...)
		if err != nil {
			return err
		}
		s.covered = slices.Clone(s.distinct())
		if kept += len(s.covered); kept > aheadOf {
			break
		}
		ahead[of[0]] = s
	}
	r.ahead = ahead
	return nil
}

// stretch collects what footprints of the process used.
func (r *recorder) stretch(all ...*agent.Footprint) (*stretch, error) {
	r.turn++
	if len(all) > 0 && r.ahead[all[0]] != nil && slices.Equal(r.ahead[all[0]].from, all) {
		s := r.ahead[all[0]]
		delete(r.ahead, all[0]) // whoever asked adds to it
		return s, nil
	}
	s := &stretch{from: all, whole: map[int]bool{}, inits: map[*agent.Footprint]bool{}}
	for _, f := range all {
		for _, id := range f.Methods {
			m, err := r.method(id)
			if err != nil {
				return nil, err
			}
			if m.turn != r.turn { // not yet in another invocation
				m.turn = r.turn
				r.enter(s, m)
			}
		}
	}
	return s, nil
}

func (r *recorder) enter(s *stretch, m *contribution) {
	switch {
	case m.class < 0:
		return
	case m.whole:
		s.whole[m.class] = true
	default:
		s.cover(m.class, m.entry)
	}
	r.touch(s, m.touched)
	for _, i := range m.members {
		s.cover(i, table.Reflected)
	}
}

// touch adds classes with all that belongs to touching them: their initializers, whenever they ran, and methods without probes (S8.1, S8.2, S8.4).
func (r *recorder) touch(s *stretch, classes []int) {
	for len(r.seen) < len(r.classes) {
		r.seen = append(r.seen, 0)
	}
	for _, i := range classes {
		if r.seen[i] == r.turn {
			continue
		}
		r.seen[i] = r.turn
		of := &r.classes[i]
		s.cover(i, table.Touched)
		for _, e := range of.unseen {
			if !r.rules.Hold(safety.UnwatchedCounts) {
				break
			}
			s.cover(i, e)
		}
		for _, f := range of.inits { // (S8.2)
			s.inits[f] = r.rules.Hold(safety.InitializersCount)
		}
	}
}

// wholly makes a class count as a whole, with all that its methods name.
func (r *recorder) wholly(s *stretch, name string) error {
	i, err := r.class(name)
	if err != nil || i < 0 {
		return err
	}
	s.whole[i] = true
	touched, err := r.allTouched(i)
	r.touch(s, touched)
	return err
}

// reflected adds that a class and its supertypes were looked at.
func (r *recorder) reflected(s *stretch, name string) error {
	_, err := r.asked(s, name, table.Reflected)
	return err
}

// asked adds that something about a class and its supertypes was asked, and returns these.
func (r *recorder) asked(s *stretch, name string, about uint32) ([]int, error) {
	above, shows, err := r.declared(s, name, about)
	if shows != nil {
		r.touch(s, shows.types)
	}
	return above, err
}

// declared is asked without the classes that are types of members: who only looks for tests does nothing with these, and whoever does something has events of their own.
func (r *recorder) declared(s *stretch, name string, about uint32) ([]int, *showing, error) {
	i, err := r.class(name)
	if err != nil || i < 0 {
		return nil, nil, err
	}
	shows, err := r.showing(i)
	if err != nil {
		return nil, nil, err
	}
	above := r.classes[i].above
	r.touch(s, above)
	for _, j := range above {
		s.cover(j, about)
	}
	for _, j := range shows.marks {
		s.cover(j, table.Touched)
		s.cover(j, about)
	}
	return above, shows, nil
}

// A showing is what whoever asks about a class sees of others.
type showing struct {
	// marks are the annotations of the class and its supertypes: the JDK looks at their declarations once, and keeps what they say of whether subclasses have them, too.
	marks []int
	// types are the classes, with their supertypes, that reflection shows as types of members.
	types []int
}

// showing finds what a class shows, once. What a test needs that did not run, which may come up when the files are closed, is its class as the framework sees it, without annotations.
func (r *recorder) showing(i int) (*showing, error) {
	if known := r.shows[i]; known != nil {
		return known, nil
	}
	of, open := &showing{}, r.library != nil && !r.library.closed
	if open {
		for _, j := range r.classes[i].above {
			if err := r.marks(of, r.classes[j].name); err != nil {
				return nil, err
			}
		}
	}
	if err := r.types(of, r.classes[i].table); err != nil {
		return nil, err
	}
	if open {
		r.shows[i] = of
	}
	return of, nil
}

func (r *recorder) marks(of *showing, class string) error {
	if r.program.JDK(class) {
		return nil
	}
	c, err := r.library.Class(class)
	if err != nil || c == nil {
		return err
	}
	for _, name := range c.Annotations {
		if inFramework(name) {
			continue
		}
		j, err := r.class(name)
		if err != nil {
			return err
		}
		if j >= 0 && r.classes[j].digest != digest.Absent {
			of.marks = append(of.marks, j)
		}
	}
	return nil
}

func (r *recorder) types(of *showing, t *table.Table) error {
	if t == nil {
		return nil
	}
	var named []string
	for _, f := range t.Fields {
		named = append(named, table.DescriptorClasses(f.Descriptor)...)
	}
	for _, m := range t.Methods {
		named = append(named, table.DescriptorClasses(m.FileDescriptor)...)
	}
	for _, name := range named {
		j, err := r.class(name)
		if err != nil {
			return err
		}
		if j >= 0 && r.classes[j].digest != digest.Absent {
			of.types = append(of.types, r.classes[j].above...)
		}
	}
	slices.Sort(of.types)
	of.types = slices.Compact(of.types)
	return nil
}

// uses are the uses of classes in a stretch, sorted by class.
func (r *recorder) uses(s *stretch) []rts.Use {
	s.distinct()
	entries := make([]uint32, len(s.covered))
	for k, c := range s.covered {
		entries[k] = uint32(c)
	}
	var out []rts.Use
	for k := 0; k < len(s.covered); {
		i, start := int(s.covered[k]>>32), k
		for k < len(s.covered) && int(s.covered[k]>>32) == i {
			k++
		}
		if !s.whole[i] {
			out = append(out, r.use(i, entries[start:k:k]))
		}
	}
	for i := range s.whole {
		out = append(out, r.use(i, nil))
	}
	return out
}

// use makes a use of a class. Without a table there is nothing to narrow it to.
func (r *recorder) use(i int, entries []uint32) rts.Use {
	of := &r.classes[i]
	u := rts.Use{Entity: of.entity, Digest: of.digest}
	switch {
	case of.table == nil:
		return u
	case !of.same:
		u.Digest = of.other()
		return u
	}
	if !r.bodies[i] {
		r.bodies[i] = true
		r.sink.Body(of.digest, of.table.Append(nil))
	}
	u.Entries = entries
	return u
}

// footprint makes a shared footprint of the process known, with everything that it includes.
func (r *recorder) footprint(f *agent.Footprint) (int, error) {
	if n, ok := r.shared[f]; ok {
		return n, nil
	}
	s, err := r.stretch(f)
	if err != nil {
		return 0, err
	}
	uses, err := r.eventUses(s, f)
	if err != nil {
		return 0, err
	}
	if closes(f) {
		maps.DeleteFunc(s.inits, func(g *agent.Footprint, _ bool) bool { return r.ranBefore(g) })
	}
	includes, err := r.initializers(s.inits)
	if err != nil {
		return 0, err
	}
	n := r.sink.Shared(rts.Footprint{Label: r.label(f), Uses: append(r.uses(s), uses...), Includes: includes})
	r.shared[f] = n
	return n, nil
}

// ranBefore tells whether an initializer ran before the JVM came to its end. What the end finds of it tells about the tests that were the first to need the class, as all that tests leave does (S8.3).
func (r *recorder) ranBefore(init *agent.Footprint) bool {
	if r.before == nil {
		r.before = map[*agent.Footprint]bool{}
		var add func(f *agent.Footprint)
		add = func(f *agent.Footprint) {
			for _, id := range f.Methods {
				if class, ok := r.plan.Initializer(id); ok {
					if in := r.trace.Inits[class]; in != nil && !r.before[in] {
						r.before[in] = true
						add(in)
					}
				}
			}
		}
		for _, f := range r.footprints() {
			add(f.Footprint)
		}
	}
	return r.before[init]
}

// label says in words what a footprint stands for. What a test did is another test's only if that found what it left.
func (r *recorder) label(f *agent.Footprint) string {
	if group, ok := r.own[f]; ok {
		return doneBy + nameOf(group)
	}
	return label(f.Name)
}

// label says in words what a footprint with a name stands for.
func label(name string) string {
	if class, ok := agent.FoundClass(name); ok {
		return "how the tests of " + class + " were found"
	}
	switch {
	case name == "process":
		return "start of the JVM"
	case name == "closing":
		return "the end of the JVM"
	case name == inPart:
		return ""
	case strings.HasPrefix(name, "state("):
		return "what is kept in " + strings.TrimSuffix(strings.TrimPrefix(name, "state("), ")")
	case strings.HasPrefix(name, "needs("):
		return strings.TrimSuffix(strings.TrimPrefix(name, "needs("), ")") + ", on which it depends"
	case strings.HasPrefix(name, "kept("):
		return strings.TrimSuffix(strings.TrimPrefix(name, "kept("), ")")
	case strings.HasPrefix(name, "init("):
		return "initialization of " + strings.TrimSuffix(strings.TrimPrefix(name, "init("), ")")
	}
	return "set-up of " + name
}

// discovers tells whether a footprint is one in which frameworks look for tests: what they reflect upon there are all test classes, and says nothing
// about a single test. Each test has its own class as a use of its own.
func discovers(f *agent.Footprint) bool {
	return f.Name == "process" || strings.HasPrefix(f.Name, "[engine:") && !strings.Contains(f.Name, "/")
}

// starts tells whether a footprint is of what happens in every process before its first test, whichever tests are left out.
func starts(f *agent.Footprint) bool {
	_, found := agent.FoundClass(f.Name)
	return found || discovers(f)
}

// closes tells whether a footprint is what happened after all tests, as the JVM came to its end.
func closes(f *agent.Footprint) bool { return f.Name == "closing" }

// initializers returns the numbers of the shared footprints of initializers and fillings. Those that need one another become one footprint.
func (r *recorder) initializers(needed map[*agent.Footprint]bool) ([]int, error) {
	var out []int
	for f, counts := range needed {
		if !counts {
			continue
		}
		if _, ok := r.inits[f]; !ok {
			if err := r.condense(f); err != nil {
				return nil, err
			}
		}
		out = append(out, r.inits[f])
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// An initNode is an initializer while groups of them are looked for (Tarjan's algorithm).
type initNode struct {
	of       *agent.Footprint
	stretch  *stretch
	uses     []rts.Use
	low, at  int
	finished bool
}

type condenser struct {
	*recorder
	nodes map[*agent.Footprint]*initNode
	stack []*initNode
}

// condense makes shared footprints of an initializer and all that it needs.
func (r *recorder) condense(f *agent.Footprint) error {
	c := &condenser{recorder: r, nodes: map[*agent.Footprint]*initNode{}}
	return c.visit(f)
}

func (c *condenser) visit(f *agent.Footprint) error {
	s, err := c.recorder.stretch(f)
	if err != nil {
		return err
	}
	n := &initNode{of: f, stretch: s, at: len(c.nodes), low: len(c.nodes)}
	if n.uses, err = c.eventUses(s, f); err != nil {
		return err
	}
	for _, part := range c.parts[f] {
		s.inits[part] = true
	}
	c.nodes[f] = n
	c.stack = append(c.stack, n)
	for g := range s.inits {
		if _, done := c.recorder.inits[g]; done || g == f {
			continue
		}
		m := c.nodes[g]
		if m == nil {
			if err := c.visit(g); err != nil {
				return err
			}
			m = c.nodes[g]
			n.low = min(n.low, m.low)
		} else if !m.finished {
			n.low = min(n.low, m.at)
		}
	}
	if n.low == n.at {
		c.finish(n)
	}
	return nil
}

// named is the node that gives a group its name: state of the project if there is any, because a test that fails may depend on who filled it; else something that is not what a single test did, because whoever includes that may have done all of it.
func (c *condenser) named(group []*initNode) *initNode {
	for _, n := range group {
		if tie, ok := TieOf(label(n.of.Name)); ok && c.library != nil && c.library.Own(tie.Class) {
			return n
		}
	}
	return group[max(0, slices.IndexFunc(group, func(n *initNode) bool { return !LeftBehind(c.label(n.of)) }))]
}

// finish makes a footprint of the nodes above one on the stack.
func (c *condenser) finish(n *initNode) {
	at := slices.Index(c.stack, n)
	group := slices.Clone(c.stack[at:])
	c.stack = c.stack[:at]
	slices.SortFunc(group, func(a, b *initNode) int { return strings.Compare(a.of.Name, b.of.Name) })
	var all rts.Footprint
	all.Label = c.label(c.named(group).of)
	if len(group) > 1 {
		all.Label += fmt.Sprintf(" and %d more", len(group)-1)
	}
	inside := map[*agent.Footprint]bool{}
	for _, m := range group {
		inside[m.of] = true
		m.finished = true
	}
	for _, m := range group {
		all.Uses = append(all.Uses, c.recorder.uses(m.stretch)...)
		all.Uses = append(all.Uses, m.uses...)
		for g := range m.stretch.inits {
			if !inside[g] {
				all.Includes = append(all.Includes, c.recorder.inits[g])
			}
		}
	}
	slices.Sort(all.Includes)
	all.Includes = slices.Compact(all.Includes)
	number := c.sink.Shared(all)
	for _, m := range group {
		c.recorder.inits[m.of] = number
	}
}
