package jcgeks

import (
	"maps"
	"slices"
	"strings"

	"winnow/internal/jvm/callgraph"
	"winnow/internal/jvm/observed"
	"winnow/internal/jvm/table"
	"winnow/internal/technique/collected"
)

const object = "java/lang/Object"

// refine is Algorithm 2: it takes back the reasons of preliminarily selected test classes from which no way leads to a changed method, and gives the others better ones.
func (s *selector) refine(now *observed.Program, preliminary map[string][]string, changed []observed.Method, reasons map[string]string) error {
	graph, err := s.graphOf(now)
	if err != nil {
		return err
	}
	w := &walk{now: now, reader: collected.NewReader(now), graph: graph, reflective: map[observed.Method][]observed.Method{}, changed: map[observed.Method]bool{}, libraries: s.libraries}
	for _, known := range s.known {
		for _, c := range known.calls {
			w.reflective[c.From] = append(w.reflective[c.From], c.To)
		}
	}
	for _, m := range changed {
		w.changed[m] = true
	}
	w.methods = graph.Reaching(changed, w.reflective)
	w.classes = s.affectedClasses(w.methods)
	for _, class := range slices.Sorted(maps.Keys(preliminary)) {
		reasons[class] = w.reason(class, s.known[class])
	}
	return nil
}

// affectedClasses is AC.
func (s *selector) affectedClasses(methods map[observed.Method]bool) map[string]bool {
	out := map[string]bool{}
	var add func(string)
	add = func(name string) {
		if !out[name] && name != object {
			out[name] = true
			for _, above := range s.above[name] {
				add(above)
			}
		}
	}
	overrides := false
	for m := range methods {
		add(m.Class)
		overrides = overrides || ofObject[m.Name+m.Descriptor]
	}
	if overrides {
		out[object] = true
	}
	return out
}

// ofObject are the methods of java/lang/Object that can be overridden.
var ofObject = map[string]bool{"equals(Ljava/lang/Object;)Z": true, "hashCode()I": true, "toString()Ljava/lang/String;": true, "clone()Ljava/lang/Object;": true, "finalize()V": true}

// A walk goes through the call graph from test classes.
type walk struct {
	now        *observed.Program
	reader     *collected.Reader
	graph      *callgraph.Graph
	reflective map[observed.Method][]observed.Method
	changed    map[observed.Method]bool // M'
	methods    map[observed.Method]bool // AM
	classes    map[string]bool          // AC
	libraries  bool
}

func (w *walk) out(m observed.Method) []observed.Method {
	return append(w.graph.Out(m)[:len(w.graph.Out(m)):len(w.graph.Out(m))], w.reflective[m]...)
}

// reason says why a test class must run, "" if no way leads to a changed method.
func (w *walk) reason(class string, known *record) string {
	work := w.roots(class)
	for _, c := range known.calls {
		if !w.now.Internal(c.From.Class) { // nobody else whom the walk could meet
			work = append(work, c.To)
		}
	}
	seen := map[observed.Method]bool{}
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[m] {
			continue
		}
		seen[m] = true
		if w.methods[m] {
			return w.nearest(m).String() + " changed"
		}
		for _, to := range w.out(m) {
			if !w.now.Internal(to.Class) {
				if by := w.callsBack(to); by != "" {
					return by + " may call what changed"
				}
			} else if _, used := known.used[to.Class]; used {
				work = append(work, to)
			}
		}
	}
	return ""
}

// roots are the methods of a test class: its own, those of its member classes, and inherited ones.
func (w *walk) roots(class string) []observed.Method {
	var out []observed.Method
	for _, name := range w.now.Names() {
		if name != class && !strings.HasPrefix(name, class+"$") {
			continue
		}
		for _, above := range w.reader.Above(name) {
			out = append(out, w.graph.Methods(above)...)
		}
	}
	return out
}

// callsBack tells whether a library method may call what changed, by its name.
func (w *walk) callsBack(m observed.Method) string {
	if !w.libraries {
		return ""
	}
	if m.Class != object && w.classes[m.Class] {
		return m.String()
	}
	parameters, _, _ := strings.Cut(m.Descriptor, ")")
	for _, name := range table.DescriptorClasses(parameters) {
		if w.classes[name] {
			return m.String()
		}
	}
	return ""
}

// nearest is the changed method that is the fewest calls away.
func (w *walk) nearest(from observed.Method) observed.Method {
	seen := map[observed.Method]bool{from: true}
	for work := []observed.Method{from}; len(work) > 0; work = work[1:] {
		if w.changed[work[0]] {
			return work[0]
		}
		for _, to := range w.out(work[0]) {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return from
}

// reflection are the methods that call others by reflection.
var reflection = map[observed.Method]bool{
	{Class: "java/lang/reflect/Method", Name: "invoke", Descriptor: "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;"}: true,
	{Class: "java/lang/reflect/Constructor", Name: "newInstance", Descriptor: "([Ljava/lang/Object;)Ljava/lang/Object;"}:         true,
	{Class: "java/lang/Class", Name: "newInstance", Descriptor: "()Ljava/lang/Object;"}:                                          true,
}

// guessReflective takes methods that were entered and that no entered body calls as called by the bodies that use reflection.
func guessReflective(g *callgraph.Graph, t *observed.Trace) []observed.Call {
	called := map[observed.Method]bool{}
	var callers []observed.Method
	for _, m := range t.Entered {
		uses := false
		for _, to := range g.Out(m) {
			called[to] = true
			uses = uses || reflection[to]
		}
		if uses {
			callers = append(callers, m)
		}
	}
	var out []observed.Call
	for _, from := range callers {
		for _, m := range t.Entered {
			if !called[m] && m.Name != "<clinit>" {
				out = append(out, observed.Call{From: from, To: m})
			}
		}
	}
	return out
}
