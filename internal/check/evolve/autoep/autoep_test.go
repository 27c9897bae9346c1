package autoep

import (
	"context"
	"errors"
	"flag"
	"reflect"
	"strings"
	"sync"
	"testing"

	"winnow/internal/check/evolve"
	"winnow/internal/check/pool"
	"winnow/internal/jvm/jvmtest"
)

var (
	made = flag.Int("autoep.made", 1, "programs of TestMake")
)

func open(t testing.TB, c pool.Config) *pool.Pool {
	t.Helper()
	if c.JDK == "" {
		c.JDK = jvmtest.JDK(t, 17)
	}
	p, err := pool.Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// select1 is one origin.
func select1(t *testing.T, id string) Origin {
	t.Helper()
	all, err := Origins(1)
	if err != nil {
		t.Fatal(err)
	}
	return Select(all, id)[0]
}

// TestMake makes the funnel of a few programs twice: it must not depend on how many JVMs there are, and changes must be noticed by tests.
func TestMake(t *testing.T) {
	var tables []*Table
	for _, workers := range []int{1, 2} {
		c := Config{Pool: open(t, pool.Config{Workers: workers}), Seed: 1, Lengths: []int{1, 4}, Most: 4}
		var mu sync.Mutex
		results := map[pool.Result]int{}
		w := Work{Origins: []Origin{select1(t, "JD8")}, Limit: *made, Operators: evolve.Operators()[:9], Each: func(ctx context.Context, k *Case) error {
			run, err := k.Run(ctx, c, true)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for _, o := range run.Outcomes {
				results[o.Result]++
			}
			if run.Lost {
				t.Errorf("%s: the record is not complete", k.Evolving.Name)
			}
			return nil
		}}
		table, err := Make(context.Background(), c, w)
		if err != nil {
			t.Fatal(err)
		}
		if results[pool.Passed] == 0 || results[pool.Failed] == 0 || len(results) > 2 {
			t.Errorf("results on changed programs: %v", results)
		}
		tables = append(tables, table)
	}
	if !reflect.DeepEqual(tables[0], tables[1]) {
		t.Errorf("with two JVMs the table differs:\n%s%s", tables[0], tables[1])
	}
	n := tables[0].Total()
	if n.Compilable == 0 || n.Compilable == n.Generated {
		t.Errorf("%d of %d cases compile", n.Compilable, n.Generated)
	}
	if text := tables[0].String(); !strings.Contains(text, "JD8") || !strings.Contains(text, "E9 #G") {
		t.Errorf("the table:\n%s", text)
	}
}

// TestCase checks that what a case says is what its revisions say, and that its text form leads to the same revisions.
func TestCase(t *testing.T) {
	c := Config{Pool: open(t, pool.Config{Workers: 1}), Seed: 1, Lengths: []int{2}, Most: 5}
	b := first(t, c, select1(t, "JD8"))
	e7, ok := evolve.OperatorNamed("E7")
	if !ok {
		t.Fatal("there is no E7")
	}
	variants := e7.Apply(b.Program, nil)
	if len(variants) == 0 {
		t.Fatal("nothing to increase")
	}
	k, err := Evolve(context.Background(), c, b, variants[0])
	if err != nil {
		t.Fatal(err)
	}
	text, err := k.Evolving.Format()
	if err != nil {
		t.Fatal(err)
	}
	again, err := evolve.ParseEvolving(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range again.Revisions {
		if !again.Revisions[i].Equal(&k.Evolving.Revisions[i]) {
			t.Errorf("revision %d differs after its text was read:\n%s", i, text)
		}
	}
	bad := variants[0]
	bad.Program = bad.Program.Clone()
	bad.Program.Classes[0].Extends = "no.Such"
	if k, err := Evolve(context.Background(), c, b, bad); k != nil || !errors.Is(err, ErrNotCompilable) {
		t.Errorf("a variant that does not compile: %v", err)
	}
}
