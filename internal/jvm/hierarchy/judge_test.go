package hierarchy

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

var (
	hierarchies = flag.Int("hierarchies", 600, "number of generated hierarchies that a JVM judges")
	firstSeed   = flag.Uint64("seed", 1, "seed of the first generated hierarchy")
)

// TestJudgedByJVM runs generated programs on a real JVM: what this package says of each class and each use is what happens.
func TestJudgedByJVM(t *testing.T) {
	j := newJudge(t, 17)
	judgeSeeds(t, j, *firstSeed, *hierarchies)
}

// TestJudgedByNewJVM does the same on the newest JDK, with fewer programs.
func TestJudgedByNewJVM(t *testing.T) {
	j := newJudge(t, 25)
	judgeSeeds(t, j, *firstSeed, max(*hierarchies/3, 1))
}

func judgeSeeds(t *testing.T, j *judge, seed uint64, n int) {
	platform := j.platform(t)
	count := tally{outcomes: map[string]int{}, operations: map[string]int{}}
	const batch = 500
	for at := 0; at < n && !t.Failed(); at += batch {
		var cases []*judged
		for i := at; i < min(at+batch, n); i++ {
			c, err := prepare(generate(seed+uint64(i), platform), platform, j.feature)
			if err != nil {
				t.Fatalf("seed %d: %v", seed+uint64(i), err)
			}
			c.seed = seed + uint64(i)
			cases = append(cases, c)
		}
		reported := 0
		if err := j.run(executables(cases), func(i int, o outcomes) {
			cases[i].got = o
			count.add(cases[i])
		}); err != nil {
			t.Fatalf("JDK %d, programs from seed %d: %v", j.feature, seed+uint64(at), err)
		}
		for _, c := range cases {
			if bad := c.wrong(); len(bad) > 0 && reported < 3 {
				reported++
				small := shrink(c.program, platform, j)
				t.Errorf("go test ./internal/jvm/hierarchy -run '%s$' -seed %d -hierarchies 1\nJDK %d\n%s\nshrunk to\n%s\n%s", t.Name(), c.seed, j.feature, strings.Join(bad, "\n"), small.program, strings.Join(small.wrong(), "\n"))
			}
		}
	}
	count.report(t, j)
	if n >= 150 {
		count.check(t)
	}
}

// A judged is a program with what is predicted and what happened.
type judged struct {
	seed uint64
	*program
	world *World
	code  *executable
	kept  []use
	want  outcomes
	what  []string // by call: its words
	ops   []string // by call: its operation
	got   outcomes
}

func prepare(p *program, platform map[string]*Class, feature int) (*judged, error) {
	c := &judged{program: p, world: p.world(platform)}
	var err error
	if c.code, c.kept, err = p.executable(c.world); err != nil {
		return nil, err
	}
	for _, name := range c.code.names {
		c.want.classes = append(c.want.classes, loadWord(c.world.Load(name)))
	}
	for _, u := range c.kept {
		for _, r := range u.receivers {
			c.want.calls = append(c.want.calls, predict(c.world, u, r, feature))
			c.what = append(c.what, fmt.Sprintf("%s executed on %q", u, r))
			c.ops = append(c.ops, u.Op.String())
		}
	}
	return c, nil
}

func loadWord(err *Linkage) string {
	if err == nil {
		return "ok"
	}
	return err.Kind.String()
}

func executables(cases []*judged) []*executable {
	out := make([]*executable, len(cases))
	for i, c := range cases {
		out[i] = c.code
	}
	return out
}

// wrong lists what happened otherwise than predicted.
func (c *judged) wrong() []string {
	var out []string
	for i, name := range c.code.names {
		if c.got.classes[i] != c.want.classes[i] {
			out = append(out, fmt.Sprintf("class %s: JVM %s, predicted %s (%v)", name, c.got.classes[i], c.want.classes[i], c.world.Load(name)))
		}
	}
	for i, what := range c.what {
		if c.got.calls[i] != c.want.calls[i] {
			out = append(out, fmt.Sprintf("%s: JVM %s, predicted %s", what, c.got.calls[i], c.want.calls[i]))
		}
	}
	return out
}

// shrink removes what it can while the prediction stays wrong.
func shrink(p *program, platform map[string]*Class, j *judge) *judged {
	failing := func(p *program) *judged {
		c, err := prepare(p, platform, j.feature)
		if err != nil {
			return nil
		}
		if err := j.run([]*executable{c.code}, func(_ int, o outcomes) { c.got = o }); err != nil || len(c.wrong()) == 0 {
			return nil
		}
		return c
	}
	best := failing(p)
	if best == nil {
		c, _ := prepare(p, platform, j.feature)
		c.got = c.want
		return c
	}
	for again := true; again; {
		again = false
		for _, smaller := range reductions(best.program) {
			if c := failing(smaller); c != nil {
				best, again = c, true
				break
			}
		}
	}
	return best
}

// reductions are the programs with one part less.
func reductions(p *program) []*program {
	var out []*program
	for i := range p.classes {
		out = append(out, &program{slices.Delete(slices.Clone(p.classes), i, i+1), p.uses})
	}
	for i := range p.uses {
		out = append(out, &program{p.classes, slices.Delete(slices.Clone(p.uses), i, i+1)})
	}
	for i, u := range p.uses {
		for k := range u.receivers {
			if len(u.receivers) > 1 {
				q := &program{p.classes, slices.Clone(p.uses)}
				q.uses[i].receivers = slices.Delete(slices.Clone(u.receivers), k, k+1)
				out = append(out, q)
			}
		}
	}
	for i, c := range p.classes {
		for _, d := range simpler(c) {
			q := &program{slices.Clone(p.classes), p.uses}
			q.classes[i] = d
			out = append(out, q)
		}
	}
	return out
}

// simpler are the classes with one part less.
func simpler(c *Class) []*Class {
	var out []*Class
	with := func(change func(*Class)) {
		d := *c
		change(&d)
		out = append(out, &d)
	}
	for i := range c.Methods {
		with(func(d *Class) { d.Methods = slices.Delete(slices.Clone(c.Methods), i, i+1) })
	}
	for i := range c.Fields {
		with(func(d *Class) { d.Fields = slices.Delete(slices.Clone(c.Fields), i, i+1) })
	}
	for i := range c.Interfaces {
		with(func(d *Class) { d.Interfaces = slices.Delete(slices.Clone(c.Interfaces), i, i+1) })
	}
	if c.Super != object {
		with(func(d *Class) { d.Super = object })
	}
	if c.NestHost != "" || c.NestMembers != nil || c.Sealed {
		with(func(d *Class) { d.NestHost, d.NestMembers, d.Sealed, d.Permitted = "", nil, false, nil })
	}
	return out
}

// A tally counts what was compared, so that agreement is not agreement about nothing.
type tally struct {
	hierarchies, classes, calls int
	outcomes, operations        map[string]int
}

func (c *tally) add(j *judged) {
	c.hierarchies++
	c.classes += len(j.got.classes)
	for _, o := range j.got.classes {
		c.outcomes["class "+o]++
	}
	for i, o := range j.got.calls {
		c.calls++
		if strings.HasPrefix(o, "#") {
			o = "ran"
		}
		c.outcomes[o]++
		c.operations[j.ops[i]]++
	}
}

func (c *tally) report(t *testing.T, j *judge) {
	t.Logf("JDK %d: %d hierarchies, %d classes, %d executed uses", j.feature, c.hierarchies, c.classes, c.calls)
	for _, counts := range []map[string]int{c.operations, c.outcomes} {
		for _, k := range slices.Sorted(maps.Keys(counts)) {
			t.Logf("  %-40s %d", k, counts[k])
		}
	}
}

// check demands that every kind of outcome occurred, in so many of a thousand executed uses or classes.
func (c *tally) check(t *testing.T) {
	t.Helper()
	for kind, share := range map[string]int{"ran": 250, "native": 5, "NullPointerException": 5, NoSuchMethod.String(): 20, NoSuchField.String(): 5, AbstractMethod.String(): 20,
		IncompatibleClassChange.String(): 30, IllegalAccess.String(): 20, NoClassDefFound.String(): 5} {
		if c.outcomes[kind]*1000 < share*c.calls {
			t.Errorf("only %d of %d executed uses ended with %s", c.outcomes[kind], c.calls, kind)
		}
	}
	for kind, share := range map[string]int{"ok": 700, NoClassDefFound.String(): 5, IncompatibleClassChange.String(): 5, IllegalAccess.String(): 5, ClassCircularity.String(): 1} {
		if c.outcomes["class "+kind]*1000 < share*c.classes {
			t.Errorf("only %d of %d classes were %s", c.outcomes["class "+kind], c.classes, kind)
		}
	}
}
