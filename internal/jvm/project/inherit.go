package project

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/state"
	"winnow/internal/safety"
)

// A library gives class files to package state.
type library struct {
	path *classpath.Path
	jdk  func(class string) bool
	root string // of the project

	mu      sync.Mutex
	known   map[string]*volume
	shelves map[string]*shelf
	// closed: the files cannot be read any more.
	closed bool
}

// A shelf is where a class was found.
type shelf struct {
	found classpath.Found
	ok    bool
	own   bool // below the root of the project
	err   error
}

// A volume is what is known of a class.
type volume struct {
	class *state.Class // nil if there is none
	// factory: it names TestNG's annotation for what makes objects with tests.
	factory bool
	err     error
}

// close gives the files free.
func (l *library) close() error {
	l.closed = true
	return l.path.Close()
}

// JDK tells whether a class is one of the JDK.
func (l *library) JDK(name string) bool { return l.jdk(name) }

// Own tells whether a class was found below the root of the project.
func (l *library) Own(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shelf(name).own
}

// Class reads a class; nil if there is none.
func (l *library) Class(name string) (*state.Class, error) {
	v := l.volume(name)
	return v.class, v.err
}

func (l *library) volume(name string) *volume {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.known[name]
	if v == nil {
		v = l.look(name)
		l.known[name] = v
	}
	return v
}

func (l *library) look(name string) *volume {
	at := l.shelf(name)
	if at.err != nil || !at.ok {
		return &volume{err: at.err}
	}
	v := &volume{}
	data, err := at.found.Read()
	if err != nil {
		v.err = err
		return v
	}
	v.factory = bytes.Contains(data, []byte(testngFactory))
	read := state.ReadLibraryClass
	if at.own {
		read = state.ReadClass
	}
	if v.class, err = read(data); err != nil {
		v.err = fmt.Errorf("%s: %w", at.found.Place.Path, err)
	}
	return v
}

// shelf finds a class, whose file need not be read for that.
func (l *library) shelf(name string) *shelf {
	s := l.shelves[name]
	if s == nil {
		s = &shelf{}
		if s.found, s.ok, s.err = l.path.Find(name); s.ok && s.err == nil {
			s.own = strings.HasPrefix(s.found.Place.Path, l.root+string(filepath.Separator))
		}
		l.shelves[name] = s
	}
	return s
}

// lookUp reads a class and its supertypes.
func (l *library) lookUp(name string) {
	l.mu.Lock()
	_, known := l.known[name]
	l.mu.Unlock()
	if known {
		return
	}
	c, err := l.Class(name)
	if err != nil || c == nil {
		return
	}
	for _, above := range append(slices.Clone(c.Interfaces), c.Super) {
		if above != "" {
			l.lookUp(above)
		}
	}
}

// inherit finds out what tests need of others because of state that outlives a test (S8.10). It becomes footprints like those of the trace. Absent are what tests would have put there that did not run.
func (r *recorder) inherit(l *library, absent []state.Put) error {
	r.library = l
	if !r.rules.Hold(safety.StateCounts) {
		return nil
	}
	if !r.rules.Hold(safety.ChangesCount) {
		for _, f := range reached(r.trace.Tests...) {
			f.Changed = nil
		}
	}
	looked := make(chan error, 1)
	go func() { looked <- r.lookAhead() }()
	in, err := state.Inherit(l, r.plan, r.trace, absent)
	if err := errors.Join(err, <-looked); err != nil {
		return err
	}
	r.noted, r.left = in.Notes, in.Absent
	first := r.firstEntered()
	nodes := make([]*agent.Footprint, len(in.Nodes))
	for i, n := range in.Nodes {
		nodes[i] = &agent.Footprint{Name: n.Label, Methods: n.Methods}
		r.noted[nodes[i]] = &state.Notes{Reads: n.Reads}
		r.inherited(nodes[i], first)
	}
	for t, numbers := range in.Tests {
		for _, n := range numbers {
			r.needs[t] = append(r.needs[t], nodes[n])
		}
	}
	r.filled(in)
	if err := r.depends(in); err != nil {
		return err
	}
	r.handed(in)
	return nil
}

// filled adds to each test what others may have asked the JDK for to fill state that it finds (S8.14). The fillings of one list form a chain: each has what the one before it has, and what one footprint more asked for.
func (r *recorder) filled(in *state.Inheritance) {
	if !r.rules.Hold(safety.AskedCounts) {
		return
	}
	class := r.classOfTests()
	type key struct {
		list   int
		inputs state.Inputs
	}
	chains := map[key][]*agent.Footprint{} // after each footprint, the last filling; nil if there is none yet
	for _, t := range r.trace.Tests {
		for _, x := range in.Filled[t] {
			chain := chains[key{x.List, x.Inputs}]
			for _, f := range x.In[min(len(chain), len(x.In)):] {
				var last *agent.Footprint
				if len(chain) > 0 {
					last = chain[len(chain)-1]
				}
				chain = append(chain, r.asking(x, filler{f, class[f]}, last))
			}
			chains[key{x.List, x.Inputs}] = chain
			if last := chain[len(x.In)-1]; last != nil {
				r.needs[t] = append(r.needs[t], last)
			}
		}
	}
}

// asking is the filling that has what one has, which may be nil, and what a footprint asked for.
func (r *recorder) asking(x state.Filled, of filler, before *agent.Footprint) *agent.Footprint {
	next := &agent.Footprint{Name: x.Label}
	r.addPart(next, partKey{filler: of, framework: r.onlyFramework(of.Footprint), inputs: x.Inputs})
	if len(r.parts[next]) == 0 {
		return before
	}
	if before != nil {
		r.parts[next] = append(r.parts[next], before)
	}
	return next
}

// classOfTests has the classes of tests by their footprints.
func (r *recorder) classOfTests() map[*agent.Footprint]string {
	out := map[*agent.Footprint]string{}
	for _, t := range r.trace.Tests {
		out[t.Own], out[t.Before] = t.Class, t.Class
	}
	return out
}

// handed adds to each test the footprints that handed over a value which the test may have found in state. They count like fillings, under the name of the state. With that of a test comes what the test found
// itself: it is kept once, and tests that are handed something by one another form chains.
func (r *recorder) handed(in *state.Inheritance) {
	class := r.classOfTests()
	whole := func(to, f *agent.Footprint) {
		r.addPart(to, partKey{filler: filler{f, class[f]}, entered: true, framework: r.onlyFramework(f)})
	}
	made, found := map[state.Handed]*agent.Footprint{}, map[*agent.TestTrace]*agent.Footprint{}
	filling := func(h state.Handed) *agent.Footprint {
		f := made[h]
		if f == nil {
			f = &agent.Footprint{Name: h.Label}
			made[h] = f
			whole(f, h.Footprint)
			if h.Test != nil {
				r.parts[f] = append(r.parts[f], found[h.Test])
			}
		}
		return f
	}
	for _, t := range r.trace.Tests { // those that hand something to others come before them
		all := &agent.Footprint{Name: inPart}
		found[t], r.looking[all] = all, false
		for _, f := range t.Shared {
			whole(all, f)
		}
		r.parts[all] = append(r.parts[all], r.needs[t]...)
		for _, h := range in.Handed[t] {
			f := filling(h)
			r.needs[t] = append(r.needs[t], f)
			r.parts[all] = append(r.parts[all], f)
		}
	}
}

// A filler is a footprint in which methods were entered for the first time, and the test class that it belongs to.
type filler struct {
	*agent.Footprint
	class string
}

// firstEntered tells for every method where it was entered first.
func (r *recorder) firstEntered() map[int]filler {
	first := map[int]filler{}
	for _, f := range r.footprints() {
		for _, id := range f.Methods {
			if _, known := first[id]; !known {
				first[id] = f
			}
		}
	}
	return first
}

// footprints are those of the process and of its tests, in the order of these.
func (r *recorder) footprints() []filler {
	out, done := []filler{{r.trace.Process, ""}}, map[*agent.Footprint]bool{r.trace.Process: true}
	for _, f := range r.trace.Found {
		out, done[f] = append(out, filler{f, ""}), true
	}
	for _, t := range r.trace.Tests {
		for _, f := range append(slices.Clone(t.Shared), t.Own) {
			if !done[f] {
				done[f] = true
				out = append(out, filler{f, t.Class})
			}
		}
	}
	return out
}

// withInitializers are footprints and those of initializers.
func (r *recorder) withInitializers() []filler {
	out := r.footprints()
	for _, k := range slices.Sorted(maps.Keys(r.trace.Inits)) {
		out = append(out, filler{r.trace.Inits[k], ""})
	}
	return out
}

// inherited adds to a filling the events of the footprints that entered its methods first: files, properties and classes that whoever filled the state looked at. Which of
// them the filling needed is not known, so all count.
func (r *recorder) inherited(node *agent.Footprint, first map[int]filler) {
	seen, framework := map[*agent.Footprint]bool{}, r.onlyFramework(node)
	for _, id := range node.Methods {
		f, known := first[id]
		if !known || seen[f.Footprint] {
			continue
		}
		seen[f.Footprint] = true
		r.addPart(node, partKey{filler: f, framework: framework})
	}
}

// A partKey says what a part has: events of a footprint, perhaps those about some kinds of inputs only, perhaps also its methods, as something that only a framework looked at or not.
type partKey struct {
	filler
	entered, framework bool
	inputs             state.Inputs // 0: all events
}

// inPart is the name of parts: of what several fillings have in common. A part has no label, for it belongs to those that include it.
const inPart = "state()"

// addPart adds a part to a filling. Tests depend on thousands of fillings that came from a few footprints, so what these did is turned into uses once.
func (r *recorder) addPart(filling *agent.Footprint, k partKey) {
	part, known := r.known[k]
	if !known {
		part = &agent.Footprint{Name: inPart, Events: r.eventsOf(k)}
		if k.entered {
			part.Methods = k.Footprint.Methods
			if n := r.noted[k.Footprint]; n != nil {
				r.noted[part] = &state.Notes{Reads: n.Reads}
			}
		} else {
			r.filledBy[part] = k.Footprint
		}
		r.known[k], r.looking[part] = part, !k.framework
	}
	if len(part.Methods)+len(part.Events) > 0 {
		r.parts[filling] = append(r.parts[filling], part)
	}
}

// eventsOf are the events of a footprint, but for those of the framework when it looks for tests or at test classes.
func (r *recorder) eventsOf(k partKey) []agent.NamedEvent {
	f := k.filler
	if discovers(f.Footprint) {
		return nil
	}
	framework := r.onlyFramework(f.Footprint)
	return slices.DeleteFunc(slices.Clone(f.Events), func(e agent.NamedEvent) bool {
		if k.inputs != 0 && !k.inputs.Asks(e.Kind) {
			return true
		}
		own := e.Text == f.class || strings.HasPrefix(f.class, e.Text+"$")
		return e.Kind == agent.ClassReflected && (own || framework && r.events.isTestClass(r.program.Place(internalName(e.Text))))
	})
}
