package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/instrument"
)

// Run runs tests. With an error that wraps ErrDied there is a Run, too: it has what was known when the JVM died.
func (p *Pool) Run(ctx context.Context, j Job) (*Run, error) {
	c, err := j.code()
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	r := request{askRun}
	r.number(j.mode()).number(int(j.Isolation)).number(len(c.methods))
	files(&r, c.classes)
	files(&r, j.Resources)
	r.number(2 * len(j.Tests))
	for _, t := range j.Tests {
		r.text(t.Class).text(t.Method)
	}
	out := &Run{Outcomes: make([]Outcome, len(j.Tests)), Unprobed: c.unprobed, Edgeless: c.edgeless, Unreceived: c.unreceived}
	for i, t := range j.Tests {
		out.Outcomes[i].Test = t
	}
	read := reader{job: &j, code: c, run: out}
	err = p.ask(ctx, j.weight(), r, read.read)
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, ErrDied):
		read.died()
		return out, fmt.Errorf("run: %w", err)
	}
	return nil, fmt.Errorf("run: %w", err)
}

// What a host is told to record; Running.java has the same.
const (
	recordNothing = 0
	recordUsual   = 1
	recordDetail  = 2
)

func (j *Job) mode() int {
	switch {
	case !j.Record:
		return recordNothing
	case j.Detail:
		return recordDetail
	}
	return recordUsual
}

// weight is how many requests a job counts for: the agent in the JVM keeps a few bytes of every class loader for good.
func (j *Job) weight() int {
	if j.Isolation == PerTest {
		return len(j.Tests) / 4
	}
	return 0
}

// A code is the classes of a job as they run.
type code struct {
	classes  map[string][]byte
	methods  []Method // by id; zero for those of edges
	unprobed []Method
	inits    map[int]string // class by the id of its initializer

	edges                map[int][]Edge // by id
	edgeless, unreceived []Method
}

// code instruments the classes if the job records.
func (j *Job) code() (*code, error) {
	c := &code{classes: j.Classes, inits: map[int]string{}, edges: map[int][]Edge{}}
	if !j.Record {
		return c, nil
	}
	w, err := instrument.New(instrument.Scheme{Edges: j.Detail, Receivers: j.Detail})
	if err != nil {
		return nil, err
	}
	c.classes = make(map[string][]byte, len(j.Classes))
	for _, name := range slices.Sorted(maps.Keys(j.Classes)) {
		res, err := w.Rewrite(j.Classes[name])
		if err != nil {
			return nil, fmt.Errorf("class %s: %w", name, err)
		}
		if err := c.add(name, res); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *code) add(name string, res *instrument.Result) error {
	base := len(c.methods)
	if res.IDs > 0 {
		res.Bytes = slices.Clone(res.Bytes)
		if err := res.Rebase(base); err != nil {
			return err
		}
	}
	if res.Coarse {
		return fmt.Errorf("class %s: its constant pool has no room for probes", name)
	}
	c.classes[name] = res.Bytes
	c.methods = slices.Grow(c.methods, res.IDs)[:base+res.IDs]
	for _, p := range res.Probes {
		c.methods[base+p.ID] = Method{name, p.Name, p.Descriptor}
	}
	for _, u := range res.Unprobed {
		c.unprobed = append(c.unprobed, Method{name, u.Name, u.Descriptor})
	}
	for _, e := range res.Edges {
		c.edges[base+e.ID] = append(c.edges[base+e.ID], Edge{Method{name, e.Name, e.Descriptor}, e.Edge})
	}
	for _, u := range res.Edgeless {
		c.edgeless = append(c.edgeless, Method{name, u.Name, u.Descriptor})
	}
	for _, u := range res.Unreceived {
		c.unreceived = append(c.unreceived, Method{name, u.Name, u.Descriptor})
	}
	if res.Window != instrument.NoWindow && res.Window != instrument.LostWindow {
		c.inits[base+res.WindowID] = name
	}
	return nil
}

// A reader turns the answer to a job into outcomes.
type reader struct {
	job  *Job
	code *code
	run  *Run
	done int
}

// What a host says of a test; Running.java has the same.
const (
	saysReturned = 1
	saysThrew    = 2
	saysError    = 3
)

func (r *reader) read(a *answer) {
	for i := range r.run.Outcomes {
		r.outcome(a, &r.run.Outcomes[i])
		if a.err != nil {
			return
		}
		r.done++
	}
	r.run.Lost = a.number() != 0 && r.job.Record
	a.spent = a.number() > 0
}

func (r *reader) outcome(a *answer, to *Outcome) {
	said, thrown, state, unit := a.number(), a.text(), a.text(), a.number()
	own := r.footprint(a)
	a.each(func() {
		id, open := a.number(), a.number() == 1
		r.init(a, unit, id, open)
	})
	if a.err != nil {
		return
	}
	if unit != len(r.run.Units)-1 && unit != len(r.run.Units) {
		a.err = fmt.Errorf("unit %d behind %d", unit, len(r.run.Units))
		return
	}
	r.unit(unit)
	to.Thrown, to.State, to.Unit = thrown, state, unit
	if r.job.Record {
		to.Own = own
	}
	if thrown != "" {
		to.State = "throws " + thrown
	}
	to.Result = r.result(said, to)
}

func (r *reader) result(said int, o *Outcome) Result {
	want, expects := r.job.Expect[o.Test]
	switch {
	case said == saysError:
		return Error
	case expects && want == o.State, !expects && said == saysReturned:
		return Passed
	}
	return Failed
}

func (r *reader) unit(n int) *Unit {
	for len(r.run.Units) <= n {
		r.run.Units = append(r.run.Units, &Unit{Inits: map[string]*Footprint{}, Process: &Footprint{}})
	}
	return r.run.Units[n]
}

// init reads what an initializer did. Two threads, or a class that could not be initialized at first, give several for one class.
func (r *reader) init(a *answer, unit, id int, open bool) {
	f := r.footprint(a)
	class, ok := r.code.inits[id]
	if a.err == nil && (!ok || unit < 0 || unit > len(r.run.Units)) {
		a.err = fmt.Errorf("%d is no initializer", id)
	}
	if a.err != nil {
		return
	}
	f.Open = open
	inits := r.unit(unit).Inits
	if old := inits[class]; old != nil {
		f = old.join(f)
	}
	inits[class] = f
}

func (f *Footprint) join(g *Footprint) *Footprint {
	out := &Footprint{Methods: slices.Concat(f.Methods, g.Methods), Events: slices.Concat(f.Events, g.Events), Open: f.Open || g.Open,
		Edges: slices.Concat(f.Edges, g.Edges), Receivers: slices.Concat(f.Receivers, g.Receivers), Reflective: slices.Concat(f.Reflective, g.Reflective)}
	out.sort()
	return out
}

// sort puts everything in order, once.
func (f *Footprint) sort() {
	slices.SortFunc(f.Methods, Method.compare)
	slices.SortFunc(f.Events, compareEvents)
	slices.SortFunc(f.Edges, func(a, b Edge) int { return cmp.Or(a.Method.compare(b.Method), cmp.Compare(a.Edge, b.Edge)) })
	slices.SortFunc(f.Receivers, func(a, b Receiver) int { return cmp.Or(a.Method.compare(b.Method), cmp.Compare(a.Class, b.Class)) })
	slices.SortFunc(f.Reflective, func(a, b Reflective) int { return cmp.Or(a.From.compare(b.From), a.To.compare(b.To)) })
	f.Methods, f.Events, f.Edges = slices.Compact(f.Methods), slices.Compact(f.Events), slices.Compact(f.Edges)
	f.Receivers, f.Reflective = slices.Compact(f.Receivers), slices.Compact(f.Reflective)
}

func (r *reader) footprint(a *answer) *Footprint {
	f := &Footprint{}
	a.each(func() {
		id := a.number()
		if id < 0 || id >= len(r.code.methods) {
			a.err = cmp.Or(a.err, fmt.Errorf("there is no method %d", id))
			return
		}
		if m := r.code.methods[id]; m != (Method{}) {
			f.Methods = append(f.Methods, m)
		}
		f.Edges = append(f.Edges, r.code.edges[id]...)
	})
	a.each(func() {
		kind := agent.EventKind(a.number())
		if err := r.event(f, kind, a.text()); err != nil {
			a.err = cmp.Or(a.err, err)
		}
	})
	f.sort()
	return f
}

// event adds an event, or the detail that came as one.
func (r *reader) event(f *Footprint, kind agent.EventKind, text string) error {
	switch kind {
	case agent.Received:
		of, err := agent.ParseReceiver(text)
		if err == nil && (of.Method >= len(r.code.methods) || r.code.methods[of.Method] == Method{}) {
			err = fmt.Errorf("there is no method %d", of.Method)
		}
		if err != nil {
			return err
		}
		f.Receivers = append(f.Receivers, Receiver{r.code.methods[of.Method], of.Class})
	case agent.Invoked:
		call, err := agent.ParseReflectiveCall(text)
		if err != nil {
			return err
		}
		f.Reflective = append(f.Reflective, r.callers(call)...)
	default:
		f.Events = append(f.Events, agent.NamedEvent{Kind: kind, Text: text})
	}
	return nil
}

// callers gives a call all overloads of its caller.
func (r *reader) callers(call agent.ReflectiveCall) []Reflective {
	to := Method(call.To)
	var out []Reflective
	for _, m := range r.code.methods {
		if call.From.Class != "" && m.Class == call.From.Class && m.Name == call.From.Name {
			out = append(out, Reflective{m, to})
		}
	}
	if out == nil {
		return []Reflective{{Method(call.From), to}}
	}
	return out
}

func (m Method) compare(o Method) int {
	return cmp.Or(cmp.Compare(m.Class, o.Class), cmp.Compare(m.Name, o.Name), cmp.Compare(m.Descriptor, o.Descriptor))
}

func compareEvents(a, b agent.NamedEvent) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
}

// died marks the test in which the JVM died.
func (r *reader) died() {
	if r.done < len(r.run.Outcomes) {
		o := &r.run.Outcomes[r.done]
		*o = Outcome{Test: o.Test, Result: Killed, State: "killed"}
	}
	r.run.Lost = r.run.Lost || r.job.Record
}
