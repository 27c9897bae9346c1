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
	r.number(map[bool]int{false: 0, true: 1}[j.Record]).number(int(j.Isolation)).number(len(c.methods))
	files(&r, c.classes)
	files(&r, j.Resources)
	r.number(2 * len(j.Tests))
	for _, t := range j.Tests {
		r.text(t.Class).text(t.Method)
	}
	out := &Run{Outcomes: make([]Outcome, len(j.Tests)), Unprobed: c.unprobed}
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
	methods  []Method // by id
	unprobed []Method
	inits    map[int]string // class by the id of its initializer
}

// code instruments the classes if the job records.
func (j *Job) code() (*code, error) {
	c := &code{classes: j.Classes, inits: map[int]string{}}
	if !j.Record {
		return c, nil
	}
	w, err := instrument.New(instrument.Scheme{})
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
	methods := slices.Concat(f.Methods, g.Methods)
	slices.SortFunc(methods, Method.compare)
	events := slices.Concat(f.Events, g.Events)
	slices.SortFunc(events, compareEvents)
	return &Footprint{Methods: slices.Compact(methods), Events: slices.Compact(events), Open: f.Open || g.Open}
}

func (r *reader) footprint(a *answer) *Footprint {
	f := &Footprint{}
	a.each(func() {
		id := a.number()
		if id < 0 || id >= len(r.code.methods) {
			a.err = cmp.Or(a.err, fmt.Errorf("there is no method %d", id))
			return
		}
		f.Methods = append(f.Methods, r.code.methods[id])
	})
	a.each(func() {
		kind := a.number()
		f.Events = append(f.Events, agent.NamedEvent{Kind: agent.EventKind(kind), Text: a.text()})
	})
	slices.SortFunc(f.Methods, Method.compare)
	slices.SortFunc(f.Events, compareEvents)
	return f
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
