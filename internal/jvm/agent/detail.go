package agent

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A TakenEdge is an edge of a method's control flow that was taken, or shares its probe with one that was; see instrument.EdgeProbe.
type TakenEdge struct {
	Method int // id of the plan
	Edge   int // index into Edges of the cfg.Graph of the original code
}

// Edges lists the edges that an id of the plan stands for: of a method's id, the edge into it. A plan without details has none.
func (p *Plan) Edges(id int) []TakenEdge {
	if id < 0 || id >= p.IDs() || p.details == nil {
		return nil
	}
	i := p.classOf(id)
	edges, own := p.details[i].Edges, id-p.bases[i]
	var out []TakenEdge
	for k := sort.Search(len(edges), func(k int) bool { return edges[k].ID >= own }); k < len(edges) && edges[k].ID == own; k++ {
		out = append(out, TakenEdge{Method: p.bases[i] + edges[k].Method, Edge: edges[k].Edge})
	}
	return out
}

// EdgesOf lists the edges that a footprint has taken, by method and edge. Of a method that is entered but has none here, nothing but that is known: it is in Detail.Edgeless,
// or its class is not detailed.
func (p *Plan) EdgesOf(f *Footprint) []TakenEdge {
	var out []TakenEdge
	for _, ids := range [2][]int{f.Methods, f.Edges} {
		for _, id := range ids {
			out = append(out, p.Edges(id)...)
		}
	}
	slices.SortFunc(out, func(a, b TakenEdge) int { return cmp.Or(a.Method-b.Method, a.Edge-b.Edge) })
	return slices.Compact(out)
}

// A Receiver is the class of an object on which a method was entered.
type Receiver struct {
	Method int // id of the plan
	// Class is the internal name. Classes that a JVM makes itself, such as those of lambdas, have the name of the class that they are made for, and no number.
	Class string
}

// A ReflectiveCall is a call of Method.invoke, Constructor.newInstance or Class.newInstance. What is called is what the program asked for: which override runs is seen by its entry.
// Not here: method handles, and what the JDK calls by itself.
type ReflectiveCall struct {
	// From is the project's own method that is nearest on the stack; zero if there is none. A stack has no types: if the method is overloaded, there is a call from each overload.
	From MemberName
	To   MemberName
}

// A MemberName names a method.
type MemberName struct {
	Class            string // internal name
	Name, Descriptor string
}

// String is "p/A.m(I)V".
func (m MemberName) String() string { return m.Class + "." + m.Name + m.Descriptor }

// ParseReflectiveCall reads the text of an event of kind Invoked. The caller has no descriptor there.
func ParseReflectiveCall(text string) (ReflectiveCall, error) {
	from, to, ok := strings.Cut(text, "\n")
	var c ReflectiveCall
	var err error
	if from != "" && ok {
		c.From, err = parseMember(from)
	}
	if !ok || err != nil {
		return ReflectiveCall{}, fmt.Errorf("%w: %q is no reflective call", ErrLog, text)
	}
	if c.To, err = parseMember(to); err != nil {
		return ReflectiveCall{}, err
	}
	return c, nil
}

// parseMember reads "p.A.m(I)V".
func parseMember(text string) (MemberName, error) {
	open := strings.IndexByte(text, '(')
	if open < 0 {
		open = len(text)
	}
	dot := strings.LastIndexByte(text[:open], '.')
	class := internal(text[:max(dot, 0)])
	if class == "" || dot+1 == open {
		return MemberName{}, fmt.Errorf("%w: %q is no method", ErrLog, text)
	}
	return MemberName{Class: class, Name: text[dot+1 : open], Descriptor: text[open:]}, nil
}

// ParseReceiver reads the text of an event of kind Received: the id is one of the process.
func ParseReceiver(text string) (Receiver, error) {
	number, name, _ := strings.Cut(text, " ")
	id, err := strconv.Atoi(number)
	class := internal(name)
	if err != nil || id < 0 || class == "" {
		return Receiver{}, fmt.Errorf("%w: %q is no receiver", ErrLog, text)
	}
	return Receiver{Method: id, Class: class}, nil
}

// internal is the internal name of a class. What a JVM adds to the names of classes that it makes differs from run to run.
func internal(name string) string {
	name, _, _ = strings.Cut(name, "/")
	const lambda = "$$Lambda"
	if at := strings.Index(name, lambda); at >= 0 {
		name = name[:at+len(lambda)]
	}
	return strings.ReplaceAll(name, ".", "/")
}

// details are what a piece has beside hits and events.
type details struct {
	receivers  []Receiver
	reflective []ReflectiveCall
	changed    []string
}

// sortOut takes the details from among events.
func (a *attribution) sortOut(events []NamedEvent, to *details) ([]NamedEvent, error) {
	first := slices.IndexFunc(events, func(e NamedEvent) bool { return e.Kind >= Received })
	if first < 0 {
		return events, nil
	}
	for _, e := range events[first:] { // they are sorted by kind
		switch e.Kind {
		case FieldWatched, FieldUnwatched:
			a.watched(e)
			continue
		case FieldChanged:
			to.changed = append(to.changed, e.Text)
			continue
		case Invoked:
			c, err := ParseReflectiveCall(e.Text)
			if err != nil {
				return nil, err
			}
			to.reflective = append(to.reflective, a.plan.callers(c)...)
			continue
		}
		r, err := ParseReceiver(e.Text)
		if err == nil {
			r.Method, err = a.id(r.Method)
		}
		if err != nil {
			return nil, err
		}
		to.receivers = append(to.receivers, r)
	}
	return events[:first], nil
}

// watched notes that a field is watched, or given up: then for good.
func (a *attribution) watched(e NamedEvent) {
	if a.trace.Watched == nil {
		a.trace.Watched = map[string]bool{}
	}
	still, known := a.trace.Watched[e.Text]
	a.trace.Watched[e.Text] = e.Kind == FieldWatched && (still || !known)
}

// callers gives a call the descriptors of its callers. Without a method of this name in the plan the call stays as it is.
func (p *Plan) callers(c ReflectiveCall) []ReflectiveCall {
	var out []ReflectiveCall
	for _, id := range p.named(c.From.Class, c.From.Name) {
		if m, ok := p.Method(id); ok && m.Name != "" {
			out = append(out, ReflectiveCall{MemberName{m.Class, m.Name, m.Descriptor}, c.To})
		}
	}
	if out == nil {
		return []ReflectiveCall{c}
	}
	return out
}

// closeDetails puts the details in order.
func (f *Footprint) closeDetails() {
	f.Receivers = slices.SortedFunc(maps.Keys(f.receivers), func(a, b Receiver) int { return cmp.Or(a.Method-b.Method, strings.Compare(a.Class, b.Class)) })
	f.Reflective = slices.SortedFunc(maps.Keys(f.reflective), func(a, b ReflectiveCall) int {
		return cmp.Or(a.From.compare(b.From), a.To.compare(b.To))
	})
	f.Changed = slices.Sorted(maps.Keys(f.changed))
}

func (m MemberName) compare(o MemberName) int {
	return cmp.Or(strings.Compare(m.Class, o.Class), strings.Compare(m.Name, o.Name), strings.Compare(m.Descriptor, o.Descriptor))
}
