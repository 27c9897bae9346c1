package autoep

import (
	"context"
	"errors"
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"winnow/internal/check/pool"
)

// first prepares the first program of an origin that compiles.
func first(t *testing.T, c Config, o Origin) *Base {
	t.Helper()
	for i, p := range o.Programs {
		b, err := Prepare(context.Background(), c, o.ID, p)
		if err == nil {
			return b
		}
		if !errors.Is(err, ErrNotCompilable) || i > 20 {
			t.Fatal(err)
		}
	}
	t.Fatal("the origin has no program")
	return nil
}

// wanted are events that the features are there for.
var wanted = map[string][]string{
	"F4":  {"reflection x.Colour"},
	"F6":  {"reflection x.Shape"},
	"F8":  {"reflection x.Heavy", "reflection x.Weight"},
	"F10": {"reflection x.Target"},
	"F13": {"resource x/one.txt", "resource two.txt"},
}

var features = flag.String("autoep.features", "F4,F13", "features of TestFeatures; all if it is \"all\"")

// TestFeatures checks that each feature has programs that compile, tests that enter their classes, and records without losses.
func TestFeatures(t *testing.T) {
	p := open(t, pool.Config{Workers: 1})
	origins, err := Origins(1)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Pool: p, Seed: 1, Most: 40, Lengths: []int{8}, Isolation: pool.PerTest}
	chosen := origins[10:]
	if *features != "all" {
		chosen = Select(chosen, strings.Split(*features, ",")...)
	}
	if len(chosen) == 0 {
		t.Fatalf("there is no feature %s", *features)
	}
	for _, o := range chosen {
		t.Run(o.ID, func(t *testing.T) {
			b := first(t, c, o)
			if b.V0.Lost {
				t.Error("the record is not complete")
			}
			if b.Flaky > 0 {
				t.Errorf("%d tests are flaky although each has a class loader of its own", b.Flaky)
			}
			entered, events := map[string]bool{}, map[string]bool{}
			for _, out := range b.V0.Outcomes {
				for _, m := range out.Own.Methods {
					entered[m.Class] = true
				}
				for _, e := range out.Own.Events {
					events[e.Kind.String()+" "+e.Text] = true
				}
			}
			for _, u := range b.V0.Units {
				for class := range u.Inits {
					entered[class] = true
				}
			}
			if len(entered) < 4 {
				t.Errorf("the tests enter %v only", entered)
			}
			for _, e := range wanted[o.ID] {
				if !events[e] {
					t.Errorf("no event %q in %q", e, slices.Sorted(maps.Keys(events)))
				}
			}
		})
	}
}
