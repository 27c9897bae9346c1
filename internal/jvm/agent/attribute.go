package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Trace is what a process did, by tests.
type Trace struct {
	Start   Start
	Tests   []*TestTrace // in the order in which they began or were skipped
	Process *Footprint   // what happened while no node was running; every test includes it
	// Found is how the tests of some classes were found before the first node began, in this order. It belongs to these tests; if there are none, neither among those that ran nor among the excluded, it is in Process.
	Found []*Footprint
	// Closing is what happened after the last class of Jupiter, or from the moment on when shutdown hooks ran, if no other node was running and none began then; nil if nothing did. It can change how the
	// process ends, so every test depends on this code. But no test can see what it leaves, and what it finds tells about the tests that left that, not about the others.
	Closing  *Footprint
	Inits    map[int]*Footprint // by class (index into Plan.Classes): what its initializer did
	Defined  []int              // classes that were defined with probes, in this order
	Coarse   []Coarse           // classes without probes, in the order of their definition
	Excluded []string           // keys of tests that were taken out of the run and did not run; a key may be there several times
	Problems []Problem
	// Incomplete says why the record of the whole process must not be trusted; empty if there is no reason.
	Incomplete string
	// Finished: the process noted its end.
	Finished bool
	// Libraries: a native library was loaded for a class that is not the JDK's; see LibrariesSince.
	Libraries bool
	// Watched are static fields of the project, "class.field": whether the agent has watched what they lead to from the end of their class's initializer to the end of the process. See Footprint.Changed.
	Watched map[string]bool
}

// A TestTrace is what a test did.
type TestTrace struct {
	Node
	// Group is the key of the test method: of the template, factory or parameterized test to which this run belongs, or of the test itself.
	Group   string
	Outcome Outcome
	Why     string
	// Own is what it did itself. Invocations of one method that follow one another have one together, with the containers that a factory puts around them, as if the method had a loop: they are selected together, and there may be tens
	// of thousands.
	Own *Footprint
	// Before is what happened before it began and belongs to it alone, if that was much: frameworks make the object of a test then, and some a whole application with it. What the test itself did is not needed by others that find what was
	// made. It is one of Shared; if it is nil, that is in Own.
	Before *Footprint
	// Shared are the footprints that belong to the test, too: the groups around it and the process.
	Shared []*Footprint
	// Coarse are the classes without probes that were there before the test ended.
	Coarse []Coarse
	// Around: a group around the test failed itself, perhaps after the test.
	Around bool
	// Empty: it is a group that ended, did not fail, and had no test: a factory without a test, a class that a condition or an assumption kept from running. It counts as a test that was skipped, for what it did
	// decides whether there are tests. Its group is a key of its own if it is no method.
	Empty bool
	// Begin and End are nanoseconds since the agent's start.
	Begin, End uint64
}

// Attribute says what each test of a log did. An error means that the log is not one of this plan or contradicts itself; what was read before it is of no use.
//
// The rules: what happens while nodes run belongs to those of them inside which no other one runs, so to each test that is running and to groups in
// their own set-up. What happens in a thread before a node begins there belongs to that node, too: frameworks make a test's object before they say
// that it begins. What happens with no node running belongs to the process, and so to all. Only Jupiter's set-up of a top-level class, which
// comes before its begin, is taken from the engine and given to that class, because a sequential engine does nothing else between them. What comes before the
// engine prepares it belongs to the class before, too; if that is not told, all of it does. Before the first node, what happens while Vintage makes the runner of a class belongs to the tests of this runner, and what happens while TestNG makes the object of a class to the tests of that class and of those inside of it (Trace.Found).
func Attribute(p *Plan, l *Log) (*Trace, error) {
	r := NewReader(p, "")
	for _, block := range l.Blocks {
		r.add(block)
	}
	return r.finish()
}

func newAttribution(p *Plan) (*attribution, error) {
	if p.details == nil {
		return nil, fmt.Errorf("attribute: the plan has no methods")
	}
	return &attribution{plan: p, trace: &Trace{Process: newFootprint("process"), Inits: map[int]*Footprint{}}, threads: map[uint64]int{}, finding: map[string]*Footprint{}}, nil
}

// errUndefined is wrapped if an id belongs to no class that is defined by now.
var errUndefined = fmt.Errorf("%w: an id belongs to no class", ErrLog)

// An attribution is the state while a log is read.
type attribution struct {
	plan     *Plan
	trace    *Trace
	texts    []string
	bases    []definition // by base
	last     definition   // of the id that was translated last
	met      []uint64     // see sorted
	nodes    []*state     // by id, from 1
	segments []piece
	threads  map[uint64]int        // number of segments at the last boundary of a thread
	finding  map[string]*Footprint // by class: how its tests were found
	many     bool                  // nodes begin in several threads
	groups   []*state              // running groups of frameworks that do not tell parents
	latest   *state                // the last test that began or was skipped
	gap      *gap
	closing  *Footprint // nil before the end begins
}

// A definition says where the ids of a class start in the process, and how many they are.
type definition struct{ base, ids, class int }

// A state is a node while the log is read.
type state struct {
	*TestTrace
	parent  *state
	around  []*state // groups that ran when it began, if its framework does not tell parents
	running bool
	inside  int // running children
	from    int // number of segments when it began
	ended   bool
}

// A piece is a segment in terms of the plan.
type piece struct {
	methods []int
	edges   []int
	events  []NamedEvent
	details
}

func (a *attribution) record(r Record) error {
	t := a.trace
	switch r := r.(type) {
	case *Start:
		if r.Plan != a.plan.digest {
			return fmt.Errorf("%w: it belongs to another plan", ErrLog)
		}
		t.Start = *r
	case *Text:
		a.texts = append(a.texts, r.Text)
	case *Define: // known already
	case *Coarse:
		t.Coarse = append(t.Coarse, *r)
	case *Node:
		return a.node(r)
	case *Begin:
		return a.begin(r)
	case *End:
		return a.end(r)
	case *Segment:
		return a.segment(r)
	case *Init:
		return a.init(r)
	case *Excluded:
		t.Excluded = append(t.Excluded, r.Key)
	case *Problem:
		t.Problems = append(t.Problems, *r)
		if r.Code != NoHook && r.Code != NoEnd && r.Code != NotExcluded && t.Incomplete == "" {
			t.Incomplete = r.Code.String() + " " + r.Text
		}
	case *Closing:
		a.ending()
	case *Preparing:
		if a.gap != nil {
			a.gap.prepared = min(a.gap.prepared, len(a.segments))
		}
	case *Found:
		return a.foundIn(r)
	case *Finish:
		t.Finished = true
	}
	return nil
}

func (a *attribution) define(r *Define) error {
	if r.Class >= len(a.plan.Classes) {
		return fmt.Errorf("%w: class %d", ErrLog, r.Class)
	}
	a.trace.Defined = append(a.trace.Defined, r.Class)
	at, known := slices.BinarySearchFunc(a.bases, r.Base, func(d definition, base int) int { return d.base - base })
	ids := a.plan.Classes[r.Class].IDs
	if ids == 0 {
		return nil
	}
	if known && a.bases[at].class != r.Class {
		return fmt.Errorf("%w: two classes have id %d", ErrLog, r.Base)
	}
	if !known {
		a.bases = slices.Insert(a.bases, at, definition{r.Base, ids, r.Class})
	}
	return nil
}

// id translates an id of the process to one of the plan. Ids of one class mostly come one after the other.
func (a *attribution) id(id int) (int, error) {
	if of := a.last; id < of.base || id-of.base >= of.ids {
		at, found := slices.BinarySearchFunc(a.bases, id, func(d definition, id int) int { return d.base - id })
		if !found {
			at--
		}
		if at < 0 || id-a.bases[at].base >= a.bases[at].ids {
			return 0, fmt.Errorf("%w: id %d", errUndefined, id)
		}
		a.last = a.bases[at]
	}
	return a.plan.bases[a.last.class] + id - a.last.base, nil
}

func (a *attribution) ids(all []int) ([]int, error) {
	out := make([]int, 0, len(all))
	for _, id := range all {
		of, err := a.id(id)
		if err != nil {
			return nil, err
		}
		out = append(out, of)
	}
	return out, nil
}

func (a *attribution) text(n int) (string, error) {
	if n >= len(a.texts) {
		return "", fmt.Errorf("%w: there is no text %d", ErrLog, n)
	}
	return a.texts[n], nil
}

func (a *attribution) events(all []Event) ([]NamedEvent, error) {
	var out []NamedEvent
	for _, e := range all {
		text, err := a.text(e.Text)
		if err != nil {
			return nil, err
		}
		out = append(out, NamedEvent{e.Kind, text})
		a.trace.Libraries = a.trace.Libraries || e.Kind == LibraryLoaded
	}
	return out, nil
}

func (a *attribution) node(r *Node) error {
	if r.ID != len(a.nodes)+1 || r.Parent >= r.ID {
		return fmt.Errorf("%w: node %d below %d", ErrLog, r.ID, r.Parent)
	}
	s := &state{TestTrace: &TestTrace{Node: *r, Own: newFootprint(r.Key)}}
	if r.Parent > 0 {
		s.parent = a.nodes[r.Parent-1]
	}
	a.nodes = append(a.nodes, s)
	return nil
}

func (a *attribution) find(id int) (*state, error) {
	if id < 1 || id > len(a.nodes) {
		return nil, fmt.Errorf("%w: there is no node %d", ErrLog, id)
	}
	return a.nodes[id-1], nil
}

// begin gives a node what happened in its thread since the last boundary there.
func (a *attribution) begin(r *Begin) error {
	s, err := a.find(r.Node)
	if err != nil {
		return err
	}
	if s.running || s.ended {
		return fmt.Errorf("%w: node %d begins twice", ErrLog, r.Node)
	}
	a.reopen()
	a.many = a.many || len(a.threads) > 0 && !a.knows(r.Thread)
	if s.Framework != JUnitPlatform {
		s.around = slices.Clone(a.groups)
	}
	if f := a.goesOn(s); f != nil {
		s.Own = f
		if last := a.latest; last != nil && f == last.Own {
			s.Before = last.Before
		}
	}
	a.prelude(s, r.Thread)
	if s.Framework != JUnitPlatform && s.Kind&IsTest == 0 {
		a.groups = append(a.groups, s)
	}
	s.running, s.Begin = true, r.Time
	if s.parent != nil {
		s.parent.inside++
	}
	a.threads[r.Thread] = len(a.segments)
	a.openFirst(s)
	if s.isTest() {
		a.found(s)
	}
	return nil
}

// found adds a test. Most often nothing more comes of the one before.
func (a *attribution) found(s *state) {
	if last := a.latest; last != nil && last.ended && last.Own != s.Own {
		a.settle(last.Own)
	}
	a.trace.Tests = append(a.trace.Tests, s.TestTrace)
	a.latest = s
}

func (a *attribution) knows(thread uint64) bool {
	_, ok := a.threads[thread]
	return ok
}

func (s *state) isTest() bool { return s.Kind&IsTest != 0 && s.Flags&Inner == 0 }

// fails tells whether a node is a template or factory that failed itself, perhaps before its first test: then its method failed.
func (s *state) fails() bool {
	return s.Framework == JUnitPlatform && s.Kind&IsTest == 0 && s.Method != "" && s.ended && s.Outcome == Failed
}

func (a *attribution) end(r *End) error {
	s, err := a.find(r.Node)
	if err != nil {
		return err
	}
	if s.ended {
		return fmt.Errorf("%w: node %d ends twice", ErrLog, r.Node)
	}
	if !s.running && a.gap != nil && a.gap.engine == s.parent {
		a.prelude(s, r.Thread) // of a class that is skipped: what decided that
	}
	if !s.running && s.isTest() {
		a.found(s)
	}
	if s.running && s.parent != nil {
		s.parent.inside--
	}
	a.groups = slices.DeleteFunc(a.groups, func(g *state) bool { return g == s })
	s.running, s.ended = false, true
	s.End, s.Outcome, s.Why = r.Time, r.Outcome, r.Why
	s.Coarse = a.trace.Coarse
	a.threads[r.Thread] = len(a.segments)
	a.openGap(s)
	if s.isTest() {
		a.shorten(s.Own)
	}
	return nil
}

func (a *attribution) segment(r *Segment) error {
	p, err := a.piece(r.Hits, r.Events)
	if err != nil {
		return err
	}
	for _, n := range r.Beside {
		text, err := a.text(n)
		if err != nil {
			return err
		}
		dot := strings.LastIndexByte(text, '.')
		p.methods = append(p.methods, a.named(strings.ReplaceAll(text[:max(dot, 0)], ".", "/"), text[dot+1:])...)
	}
	a.segments = append(a.segments, p)
	return a.give(r.Active, p)
}

// named lists the ids of the methods of a name in the classes of a name: of those that the process has defined, if there are several and it has one.
func (a *attribution) named(class, method string) []int {
	ids := a.plan.named(class, method)
	if len(a.plan.byName[class]) < 2 {
		return ids
	}
	defined := slices.DeleteFunc(slices.Clone(ids), func(id int) bool { return !slices.Contains(a.trace.Defined, a.plan.classOf(id)) })
	if len(defined) == 0 {
		return ids
	}
	return defined
}

// give adds a segment to the nodes that ran and had no other one inside.
func (a *attribution) give(active []int, p piece) error {
	switch {
	case len(active) > 0:
	case a.closing != nil:
		a.closing.add(p)
	default:
		a.trace.Process.add(p)
		a.date(a.trace.Process, p)
	}
	for _, id := range active {
		s, err := a.find(id)
		if err != nil {
			return err
		}
		if !s.running {
			return fmt.Errorf("%w: node %d does not run", ErrLog, id)
		}
		waits := a.gap != nil && a.gap.engine == s && len(active) == 1
		if s.inside == 0 && !waits {
			s.Own.add(p)
		}
	}
	return nil
}

// piece translates hits and events.
func (a *attribution) piece(hits []int, events []Event) (piece, error) {
	p := piece{methods: make([]int, 0, len(hits))}
	for _, hit := range hits {
		id, err := a.id(hit)
		if err != nil {
			return piece{}, err
		}
		if d := a.plan.details[a.last.class]; !d.Coarse && hit-a.last.base >= len(d.Methods) {
			p.edges = append(p.edges, id)
		} else {
			p.methods = append(p.methods, id)
		}
	}
	all, err := a.events(events)
	if err != nil {
		return piece{}, err
	}
	p.events, err = a.sortOut(all, &p.details)
	return p, err
}

func (a *attribution) init(r *Init) error {
	id, err := a.id(r.ID)
	if err != nil {
		return err
	}
	class, ok := a.plan.Initializer(id)
	if !ok {
		return fmt.Errorf("%w: id %d is no initializer", ErrLog, r.ID)
	}
	p, err := a.piece(r.Hits, r.Events)
	if err != nil {
		return err
	}
	nested, err := a.ids(r.Nested)
	if err != nil {
		return err
	}
	p.methods = append(p.methods, nested...)
	f := a.trace.Inits[class]
	if f == nil {
		f = newFootprint("init(" + a.plan.details[class].Name + ")")
		a.trace.Inits[class] = f
	}
	f.add(p)
	a.date(f, p)
	f.Open = f.Open || r.Open
	return nil
}

// date notes which events of a footprint came only before the first node.
func (a *attribution) date(f *Footprint, p piece) {
	for _, e := range p.events {
		if len(a.threads) == 0 {
			note(&f.Early, e)
		} else {
			delete(f.Early, e)
		}
	}
}

// finish puts the footprints in order and links them.
func (a *attribution) finish() error {
	if len(a.trace.Start.Home) == 0 {
		return fmt.Errorf("attribute: %w: it has no start", ErrLog)
	}
	if a.gap != nil {
		a.closeGap(a.gap.engine.Own)
	}
	a.keepFound()
	for _, f := range a.trace.Found {
		a.close(f)
	}
	a.close(a.trace.Process)
	if c := a.closing; c != nil {
		a.close(c)
		if len(c.Methods)+len(c.Events)+len(c.Edges) > 0 {
			a.trace.Closing = c
		}
	}
	for _, f := range a.trace.Inits {
		a.close(f)
	}
	closed := map[*Footprint]bool{}
	for _, s := range a.nodes {
		for _, f := range []*Footprint{s.Own, s.Before} {
			if f != nil && !closed[f] {
				closed[f] = true
				a.close(f)
			}
		}
	}
	a.findEmpty()
	found := a.trace.FoundOf()
	for _, s := range a.nodes {
		if s.fails() || s.Empty {
			a.trace.Tests = append(a.trace.Tests, s.TestTrace)
		} else if !s.isTest() {
			continue
		}
		s.Group = s.group()
		if !s.ended {
			s.Coarse = a.trace.Coarse
		}
		if s.Before != nil {
			s.Shared = append(s.Shared, s.Before)
		}
		for up := s.parent; up != nil; up = up.parent {
			if up.Own != s.Own {
				s.Shared = append(s.Shared, up.Own)
			}
			s.Around = s.Around || up.Kind&IsTest == 0 && up.ended && up.Outcome == Failed && !up.fails()
		}
		for _, group := range s.around {
			if !slices.Contains(s.Shared, group.Own) {
				s.Shared = append(s.Shared, group.Own)
			}
		}
		s.Shared = append(append(s.Shared, found(s.Key)...), a.trace.Process)
	}
	a.trace.Excluded = slices.DeleteFunc(a.trace.Excluded, a.ran())
	a.segments, a.nodes = nil, nil // the reader may live longer than this is needed
	return nil
}

// findEmpty marks the innermost groups that had no test. Nodes come after those around them.
func (a *attribution) findEmpty() {
	full := map[*state]bool{}
	for _, s := range slices.Backward(a.nodes) {
		if !full[s] && !s.isTest() && !s.fails() {
			s.Empty = s.ended && s.Outcome != Failed && s.Flags&Inner == 0 && s.Class != ""
			if !s.Empty {
				continue
			}
			s.Outcome = Skipped
		}
		if s.parent != nil {
			full[s.parent] = true
		}
		for _, group := range s.around {
			full[group] = true
		}
	}
}

// goesOn is the footprint of a node that begins, if it is one that is there: that of the invocation before, or of the dynamic container around it. What happens inside of a method is put together.
func (a *attribution) goesOn(s *state) *Footprint {
	if last := a.latest; last != nil && s.repeats(last) {
		return last.Own
	}
	if up := s.parent; s.isInside() && up.isInside() && up.inside == 0 {
		return up.Own
	}
	return nil
}

// repeats tells whether a node that begins is part of the same method as a test before it, in the same groups: its next invocation, or a container of more of them.
func (s *state) repeats(last *state) bool {
	if last.Begin == 0 || !last.ended || !slices.Equal(s.around, last.around) {
		return false
	}
	if s.isInside() && s.method() == last.method() {
		return true
	}
	return s.isTest() && s.parent == last.parent && s.group() == last.group()
}

// isInside tells whether the node is an invocation of a method that has a node, or a container of some.
func (s *state) isInside() bool {
	return s.Framework == JUnitPlatform && s.Flags&Inner == 0 && s.method() != s
}

// method is the topmost node around the node, or the node itself, that has a method.
func (s *state) method() *state {
	of := s
	for up := s.parent; up != nil && up.Method != ""; up = up.parent {
		of = up
	}
	return of
}

// ran tells of a key whether a test of it began: a runner that cannot be filtered runs what was taken out.
func (a *attribution) ran() func(key string) bool {
	began := map[string]bool{}
	for _, test := range a.trace.Tests {
		if test.Begin > 0 {
			began[test.Key], began[test.Group] = true, true
		}
	}
	return func(key string) bool { return began[key] }
}

// classInvocation is the part of a unique id of Jupiter that tells the invocations of a class template apart.
var classInvocation = regexp.MustCompile(`/\[class-template-invocation:[^\]/]*\]`)

// group is the key of the method: the one of the topmost node that has a method, for all invocations of its class. A test of JUnit 4 has the same one with and without the platform.
func (s *state) group() string {
	key := s.method().Key
	name, _, isMethod := strings.Cut(s.Method, "(")
	switch {
	case s.Empty && s.Method == "":
		return "junit4:*(" + s.Class + ")" // of whatever framework
	case isMethod && s.Engine() == "junit-vintage" && strings.HasSuffix(s.Method, "()"):
		return "junit4:" + name + "(" + s.Class + ")"
	case isMethod && s.Engine() == "testng":
		return "testng:" + name + "(" + s.Class + ")"
	}
	if strings.Contains(key, "[engine:junit-jupiter]/") {
		key = classInvocation.ReplaceAllString(key, "")
	}
	if s.Framework == JUnit4 {
		if open, end := strings.IndexByte(key, '['), strings.LastIndexByte(key, '('); open >= 0 && open < end {
			key = key[:open] + key[end:]
		}
	}
	return key
}
