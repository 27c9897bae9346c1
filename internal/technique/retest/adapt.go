package retest

import (
	"fmt"
	"slices"

	"winnow/internal/jvm/jig"
	"winnow/internal/jvm/observed"
)

// A need is what a trace must have for a test to have taken a dangerous edge, as far as recording can tell: all of its parts.
type need struct {
	cover jig.Cover // the method was entered, and one of the edges covered
	typ   string    // it was entered with a receiver of this class; "" for any
	// sites: one of these was covered too, if there are any.
	sites []jig.Cover
	why   string
}

// A use is a class that must have been instantiated or initialized.
type use struct {
	class string
	// sites instantiate the class, or use its static fields.
	sites []jig.Cover
	// classes: entering a method of one of them shows it as well; with constructors only those count.
	classes      []string
	constructors bool
	// others instantiate subclasses: what else may have entered the constructors.
	others []jig.Cover
	why    string
}

// An index finds the needs that a trace meets.
type index struct {
	old   *observed.Program
	needs map[observed.Method][]need
	uses  []use
}

// An adaptor maps dangerous edges to what traces have.
type adaptor struct {
	*jig.Comparison
	level Level
	flow  *jig.Flow
	index *index
}

func adapt(c *jig.Comparison, level Level) (*index, error) {
	a := &adaptor{c, level, jig.NewFlow(c.Old), &index{old: c.Old.Program, needs: map[observed.Method][]need{}}}
	for _, d := range c.Dangers {
		if err := a.add(d); err != nil {
			return nil, err
		}
	}
	return a.index, nil
}

func (a *adaptor) need(n need) {
	a.index.needs[n.cover.Method] = append(a.index.needs[n.cover.Method], n)
}

// add maps one dangerous edge.
func (a *adaptor) add(d jig.Danger) error {
	why := a.String(d)
	to := a.Old.Node(d.To)
	switch from := a.Old.Node(d.From); {
	case from.Kind == jig.Dispatch:
		return a.call(d, to, why)
	case to.Kind == jig.NoInitializer:
		return a.initialized(to.Class, why)
	case from.Kind == jig.ExternalCode || from.Kind == jig.ClassEntry && to.Kind != jig.Entry:
		return a.instantiated(to.Class, why)
	case from.Kind == jig.ClassEntry || from.Kind == jig.Start:
		if to.Kind != jig.Entry {
			return fmt.Errorf("%s: an edge that no recorded entity stands for", why)
		}
		a.need(need{cover: jig.Cover{Method: to.Method}, why: why})
		return nil
	}
	cover, err := a.inside(d, to)
	if err == nil {
		a.need(need{cover: cover, why: why})
	}
	return err
}

// inside maps an edge of a body.
func (a *adaptor) inside(d jig.Danger, to jig.Node) (jig.Cover, error) {
	switch {
	case a.level == Edges:
		return a.flow.Edge(d.From, d.Label)
	case a.level == Types && (to.Kind == jig.Call || a.Old.Instantiates(d.To)):
		return a.flow.Node(d.To)
	}
	return jig.Cover{Method: a.Old.Node(d.From).Method}, nil
}

// call maps a call edge.
func (a *adaptor) call(d jig.Danger, to jig.Node, why string) error {
	sites, err := a.covers(a.Old.Callers(d.From))
	if err != nil {
		return err
	}
	if to.Kind != jig.Entry {
		for _, s := range sites {
			a.need(need{cover: s, why: why})
		}
		return nil
	}
	n := need{cover: jig.Cover{Method: to.Method}, why: why}
	if a.level != Methods {
		n.typ = a.Old.File(d.Label) // "" for a call that has no receiver to choose by
	}
	if a.level == Edges {
		n.sites = sites
	}
	a.need(n)
	return nil
}

// covers maps nodes, at the levels above edges to the methods that they are in.
func (a *adaptor) covers(nodes []int32) ([]jig.Cover, error) {
	var out []jig.Cover
	for _, n := range nodes {
		c := jig.Cover{Method: a.Old.Node(n).Method}
		if a.level == Edges {
			var err error
			if c, err = a.flow.Node(n); err != nil {
				return nil, err
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// instantiated maps the default edge of a class.
func (a *adaptor) instantiated(class, why string) error {
	u := use{class: class, classes: []string{class}, constructors: true, why: why}
	var below []int32
	for _, c := range a.Old.Below(class) {
		if c != class {
			below = append(below, a.Old.Made(c)...)
		}
	}
	made, err := a.nodes(a.Old.Made(class))
	if err != nil {
		return err
	}
	if u.others, err = a.nodes(below); err != nil {
		return err
	}
	u.sites = made
	if a.level == Methods && len(a.Old.Constructors(class)) > 0 {
		u.sites, u.others = nil, nil
	}
	a.index.uses = append(a.index.uses, u)
	return nil
}

// nodes maps instantiations: those are recorded at the level between too.
func (a *adaptor) nodes(nodes []int32) ([]jig.Cover, error) {
	if a.level == Methods {
		return a.covers(nodes)
	}
	var out []jig.Cover
	for _, n := range nodes {
		c, err := a.flow.Node(n)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// initialized maps the initializer of a class that has none: whatever shows that the class was initialized.
func (a *adaptor) initialized(class, why string) error {
	sites, err := a.covers(a.Old.Statics(class))
	if err != nil {
		return err
	}
	a.index.uses = append(a.index.uses, use{class: class, sites: sites, classes: a.Old.Below(class), why: why})
	return nil
}

// why returns the first reason for which a trace is selected; "" if there is none.
func (x *index) why(t *observed.Trace) string {
	r := reader{t: t, old: x.old, received: map[observed.Method][]string{}}
	for _, got := range t.Received {
		r.received[got.Method] = append(r.received[got.Method], got.Type)
	}
	for _, m := range t.Entered {
		for i := range x.needs[m] {
			n := &x.needs[m][i]
			if ok, coarse := r.meets(n); ok {
				return reason(n.why, m, coarse)
			}
		}
	}
	for i := range x.uses {
		if r.uses(&x.uses[i]) {
			return reason(x.uses[i].why, observed.Method{}, false)
		}
	}
	return ""
}

func reason(why string, m observed.Method, coarse bool) string {
	text := "dangerous edge " + why
	if coarse {
		text += fmt.Sprintf(" (by method: %s has no probes for edges)", m)
	}
	return text
}

// A reader asks a trace.
type reader struct {
	t        *observed.Trace
	old      *observed.Program
	received map[observed.Method][]string
}

// meets tells whether a trace whose test entered the need's method has the rest of it, and whether that was taken for granted because edges of the method were not recorded.
func (r *reader) meets(n *need) (ok, coarse bool) {
	ok = r.covers(n.cover) && (n.typ == "" || r.receives(n.cover.Method, n.typ)) && (len(n.sites) == 0 || slices.ContainsFunc(n.sites, r.covers))
	return ok, ok && len(n.cover.Edges) > 0 && slices.Contains(r.t.Coarse, n.cover.Method)
}

// covers tells whether a test may have taken what a cover stands for. The first edge is the entry.
func (r *reader) covers(c jig.Cover) bool {
	if !entered(r.t, c.Method) {
		return false
	}
	if len(c.Edges) == 0 || slices.Contains(c.Edges, 0) || !r.t.Detailed || slices.Contains(r.t.Coarse, c.Method) {
		return true
	}
	covered := r.t.Edges[c.Method]
	return slices.ContainsFunc(c.Edges, func(e int) bool {
		_, ok := slices.BinarySearch(covered, e)
		return ok
	})
}

// receives tells whether a method was entered with a receiver of a class. A class that is made at run time, which has no name in the program, may be any, and so may that of a method of which no receiver was recorded.
func (r *reader) receives(m observed.Method, class string) bool {
	if !r.t.Detailed || len(r.received[m]) == 0 {
		return true
	}
	return slices.ContainsFunc(r.received[m], func(got string) bool { return got == class || !r.old.Internal(got) })
}

// uses tells whether a test instantiated or initialized a class. Constructors that were entered count unless an instantiation of a subclass explains them: runners make objects of test classes by reflection.
func (r *reader) uses(u *use) bool {
	if slices.ContainsFunc(u.sites, r.covers) {
		return true
	}
	if len(u.others) > 0 && slices.ContainsFunc(u.others, r.covers) {
		return false
	}
	for _, m := range r.t.Entered {
		if slices.Contains(u.classes, m.Class) && (!u.constructors || m.Name == "<init>") {
			return true
		}
	}
	return false
}
