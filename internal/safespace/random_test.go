package safespace

import (
	"flag"
	"fmt"
	"slices"
	"testing"
)

var (
	graphsFlag = flag.Int("graphs", 4000, "number of random pairs of programs in each random test")
	seedFlag   = flag.Uint64("seed", 1, "seed of the first random pair; pair i has seed+i")
)

const testsPerPair = 20

// instance is one way to compare and to decide.
type instance struct {
	reentrant Reentrant
	newLabel  NewLabel
	maxPairs  int
}

func (x instance) String() string {
	return fmt.Sprintf("%v, %v, at most %d pairs", x.reentrant, x.newLabel, x.maxPairs)
}

func instances(maxPairs ...int) []instance {
	var all []instance
	for _, m := range maxPairs {
		for _, r := range []Reentrant{Select, CrossSafeSpace, DangerousEdges} {
			all = append(all, instance{r, Redirect, m}, instance{r, Default, m})
		}
	}
	return all
}

func (x instance) options(v versions) Options[string] {
	o := options(v.old, v.new, x.reentrant, x.newLabel)
	o.MaxPairs = x.maxPairs
	return o
}

func (x instance) compare(v versions) *Result[string] {
	return Compare(v.old.graph(), v.new.graph(), x.options(v))
}

// observation is one test on both versions of a program.
type observation struct {
	testCase
	run       run
	differs   bool // oracle (1), the trace automaton
	automaton acceptance
}

func observe(v versions) []observation {
	var obs []observation
	for t := range testCase(testsPerPair) {
		r := t.run(v.old)
		obs = append(obs, observation{t, r, !slices.Equal(r.words, t.run(v.new).words), graphAutomaton(v, r)})
	}
	return obs
}

// tally counts what the random tests saw, so that a test that no longer
// exercises anything fails.
type tally struct{ tests, differ, left, byDefault, discarded, precise, reentered, split int }

func (n tally) String() string {
	return fmt.Sprintf("%d decisions: %d tests differ, %d left out, %d of %d with default outside (A4); %d results with reentered nodes, %d split default edges; %d equal to the graph automaton",
		n.tests, n.differ, n.left, n.discarded, n.byDefault, n.reentered, n.split, n.precise)
}

// judge checks a result against both oracles and returns the first violation.
func judge(x instance, r *Result[string], obs []observation, n *tally) error {
	for _, o := range obs {
		n.tests++
		if x.newLabel == Default {
			n.byDefault++
			if o.run.uncovered {
				n.discarded++
				continue
			}
		}
		if err := judgeOne(x, r, o, n); err != nil {
			return fmt.Errorf("%v: test %d, trace %v, words %v: %w", x, o.testCase, o.run.trace, o.run.words, err)
		}
	}
	return nil
}

func judgeOne(x instance, r *Result[string], o observation, n *tally) error {
	set, inSet := r.SelectSet(o.run.covers)
	walk, inWalk := r.SelectWalk(slices.Values(o.run.trace))
	switch {
	case o.differs && !inWalk:
		return fmt.Errorf("behaves differently and is left out by its trace")
	case o.differs && !inSet:
		return fmt.Errorf("behaves differently and is left out by its edges")
	case inWalk && !inSet:
		return fmt.Errorf("is selected by its trace (%v) and left out by its edges", walk)
	case inSet && !inWalk && x.reentrant != CrossSafeSpace:
		return fmt.Errorf("is selected by its edges (%v) and left out by its trace", set)
	}
	if o.differs {
		n.differ++
	}
	if !inSet {
		n.left++
	}
	return judgeAutomaton(x, o.automaton, inWalk, n)
}

// judgeAutomaton compares the cross safe space with oracle (2).
func judgeAutomaton(x instance, a acceptance, selected bool, n *tally) error {
	if x.reentrant != CrossSafeSpace {
		return nil
	}
	switch {
	case !a.acceptsPlain && !selected:
		return fmt.Errorf("is rejected by the graph automaton and left out")
	case !a.accepts && !selected && x.newLabel == Redirect:
		return fmt.Errorf("is rejected by the default rule of the graph automaton and left out")
	case a.accepts && selected && a.sameLabels && x.maxPairs == 0:
		return fmt.Errorf("is accepted by the graph automaton and selected, though all labels are the same")
	}
	if a.sameLabels && x.maxPairs == 0 {
		n.precise++
	}
	return nil
}

// forPairs runs check on the random pairs and stops at the first failure,
// which it shrinks and prints.
func forPairs(t *testing.T, check func(versions) error) {
	t.Helper()
	t.Logf("seed %d, %d pairs", *seedFlag, *graphsFlag)
	for i := range uint64(*graphsFlag) {
		seed := *seedFlag + i
		v := newGenerator(seed).pair()
		if check(v) == nil {
			continue
		}
		small := v.shrink(func(w versions) bool { return check(w) != nil })
		t.Fatalf("%v\n%vto repeat: go test ./internal/safespace -run '^%s$' -seed %d -graphs 1", check(small), small, t.Name(), seed)
	}
}

func TestOracles(t *testing.T) {
	var n tally
	forPairs(t, func(v versions) error {
		obs := observe(v)
		for _, x := range instances(0, 2) {
			r := x.compare(v)
			if err := judge(x, r, obs, &n); err != nil {
				return err
			}
			n.note(r)
		}
		return nil
	})
	t.Log(n)
	if *graphsFlag < 1000 {
		return // the shares below are those of many pairs
	}
	for what, share := range map[string]float64{
		"tests that differ":          float64(n.differ) / float64(n.tests),
		"tests left out":             float64(n.left) / float64(n.tests),
		"runs within (A4)":           1 - float64(n.discarded)/float64(n.byDefault),
		"decisions equal to (2)":     float64(n.precise) / float64(n.tests),
		"pairs with reentry":         float64(n.reentered) / float64(*graphsFlag),
		"pairs with a split default": 20 * float64(n.split) / float64(*graphsFlag), // rare, and enough
	} {
		if share < 0.05 {
			t.Errorf("the share of %s is %.3f: the random programs exercise too little", what, share)
		}
	}
}

func (n *tally) note(r *Result[string]) {
	if len(r.c.pairs.more.keys) > 0 {
		n.reentered++
	}
	for _, d := range r.c.dangers {
		if d.kind == SplitDefault {
			n.split++
		}
	}
}

func TestProgramAgainstItselfSelectsNothing(t *testing.T) {
	forPairs(t, func(v versions) error {
		v = versions{v.old, v.old}
		for _, x := range instances(0) {
			r := x.compare(v)
			if r.RerunAll || r.Truncated || len(r.Dangerous()) > 0 {
				return fmt.Errorf("%v: rerun all %v, dangerous %v", x, r.RerunAll, r.Dangerous())
			}
			if r.Pairs != reachable(v.old) {
				return fmt.Errorf("%v: %d pairs compared, %d nodes reachable", x, r.Pairs, reachable(v.old))
			}
		}
		return nil
	})
}

func reachable(p *program) int {
	seen := map[int]bool{0: true}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, a := range p.out[queue[0]] {
			if !seen[a.to] {
				seen[a.to] = true
				queue = append(queue, a.to)
			}
		}
	}
	return len(seen)
}

// TestSolutions compares the three solutions with one another.
func TestSolutions(t *testing.T) {
	worse, better := 0, 0
	forPairs(t, func(v versions) error {
		obs := observe(v)
		for _, l := range []NewLabel{Redirect, Default} {
			basic, rss, edges := instance{Select, l, 0}.compare(v), instance{CrossSafeSpace, l, 0}.compare(v), instance{DangerousEdges, l, 0}.compare(v)
			if l == Redirect && !slices.Equal(rss.Dangerous(), edges.Dangerous()) {
				return fmt.Errorf("cross safe space condemns %v, dangerous edges %v", rss.Dangerous(), edges.Dangerous())
			}
			if len(edges.c.pairs.more.keys) == 0 && !slices.Equal(basic.Dangerous(), edges.Dangerous()) {
				return fmt.Errorf("%v: no node is reentered, yet select condemns %v, dangerous edges %v", l, basic.Dangerous(), edges.Dangerous())
			}
			for _, o := range obs {
				_, byBasic := basic.SelectWalk(slices.Values(o.run.trace))
				_, byRSS := rss.SelectWalk(slices.Values(o.run.trace))
				_, byEdges := edges.SelectWalk(slices.Values(o.run.trace))
				if byRSS && (!byBasic || l == Redirect && !byEdges) {
					return fmt.Errorf("%v: trace %v: cross safe space selects %v, select %v, dangerous edges %v", l, o.run.trace, byRSS, byBasic, byEdges)
				}
				if byEdges && !byBasic {
					worse++
				}
				if byBasic && !byEdges {
					better++
				}
			}
		}
		return nil
	})
	t.Logf("dangerous edges against select: better on %d traces, worse on %d", better, worse)
	if *graphsFlag >= 1000 && (better == 0 || worse == 0) {
		t.Errorf("better on %d traces, worse on %d; both occur", better, worse)
	}
}

func TestDeterministic(t *testing.T) {
	forPairs(t, func(v versions) error {
		for _, x := range instances(0, 3) {
			if a, b := describe(x.compare(v)), describe(x.compare(v)); a != b {
				return fmt.Errorf("%v: first\n%sthen\n%s", x, a, b)
			}
		}
		return nil
	})
}

// describe prints all that a result says.
func describe(r *Result[string]) string {
	s := fmt.Sprintf("pairs %d, truncated %v\n", r.Pairs, r.Truncated)
	if r.RerunAll {
		s += r.startWitness().String() + "\n"
	}
	for _, e := range r.Dangerous() {
		w, _ := r.Witness(e)
		s += fmt.Sprintf("%v by %v\n", e, w)
	}
	return s
}

// TestWitnesses checks that each witness is a path of the old program and that
// the difference it names is there.
func TestWitnesses(t *testing.T) {
	seen := map[Kind]int{}
	forPairs(t, func(v versions) error {
		for _, x := range instances(0, 3) {
			r := x.compare(v)
			for _, e := range r.Dangerous() {
				w, ok := r.Witness(e)
				if !ok || w.Path[len(w.Path)-1] != e {
					return fmt.Errorf("%v: edge %v has witness %v", x, e, w)
				}
				if err := checkWitness(v, w); err != nil {
					return fmt.Errorf("%v: %v: %w", x, w, err)
				}
				seen[w.Kind]++
			}
		}
		return nil
	})
	for k := WordDiffers; k <= Truncated; k++ {
		if *graphsFlag >= 1000 && seen[k] < 10 {
			t.Errorf("only %d witnesses of kind %q", seen[k], k)
		}
	}
}

func checkWitness(v versions, w Witness) error {
	at := 0
	for i, e := range w.Path {
		if int(e.Node) != at || int(e.Index) >= len(v.old.out[at]) {
			return fmt.Errorf("edge %d of the path does not leave node %d", i, at)
		}
		at = v.old.out[at][e.Index].to
	}
	last := w.Path[len(w.Path)-1]
	old, new := v.old.labels(int(w.Old)), v.new.labels(int(w.New))
	sameWord := v.old.words[w.Old] == v.new.words[w.New]
	onlyNew := slices.ContainsFunc(new, func(l string) bool { return !slices.Contains(old, l) })
	if w.Kind == LabelMissing {
		if at = int(last.Node); v.new.take(int(w.New), old[last.Index]) >= 0 {
			return fmt.Errorf("the label is not missing")
		}
	}
	switch {
	case int(w.Old) != at:
		return fmt.Errorf("the difference is not where the path ends, at %d", at)
	case sameWord == (w.Kind == WordDiffers):
		return fmt.Errorf("words are %q and %q", v.old.words[w.Old], v.new.words[w.New])
	case w.Kind == NewEdge && !onlyNew:
		return fmt.Errorf("labels are %v and %v", old, new)
	}
	return nil
}
