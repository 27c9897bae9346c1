package evolve

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// take returns the first programs of a walk.
func take(c Constraint, seed uint64, n int) []*Program {
	var out []*Program
	for _, p := range c.Programs(seed) {
		if out = append(out, p); len(out) == n {
			break
		}
	}
	return out
}

// TestNumbers checks that a walk meets every number once, whatever the seed.
func TestNumbers(t *testing.T) {
	for n := uint64(1); n < 200; n++ {
		for _, seed := range []uint64{0, 1, 7, n - 1, 1 << 63} {
			all := slices.Sorted(numbers(n, seed))
			for i, v := range all {
				if uint64(i) != v || uint64(len(all)) != n {
					t.Fatalf("n %d, seed %d: %v", n, seed, all)
				}
			}
		}
	}
}

func TestPrograms(t *testing.T) {
	for _, c := range Constraints() {
		t.Run(c.ID, func(t *testing.T) {
			all := take(c, 1, 100)
			if len(all) != 100 {
				t.Fatalf("%d programs", len(all))
			}
			if !reflect.DeepEqual(all[:10], take(c, 1, 10)) {
				t.Error("the same seed gives other programs")
			}
			if reflect.DeepEqual(all[:10], take(c, 2, 10)) {
				t.Error("another seed gives the same programs")
			}
			for i, p := range all {
				checkRoundTrip(t, p, fmt.Sprint(i))
			}
		})
	}
}

// checkRoundTrip checks that a program is what its text parses to.
func checkRoundTrip(t *testing.T, p *Program, what string) {
	t.Helper()
	again, err := ParseProgram(p.Sources())
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, p.text())
	}
	again.Resources = p.Resources
	if !reflect.DeepEqual(p, again) {
		t.Fatalf("%s: printed and parsed, it differs:\n%s\n%s", what, p.text(), again.text())
	}
}

// TestOperators checks every operator on programs and features: variants differ from the program and one another, print and parse, and leave the program as it was.
func TestOperators(t *testing.T) {
	var programs []*Program
	for _, c := range Constraints() {
		programs = append(programs, take(c, 3, 2)...)
	}
	features, err := Features()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range features {
		for _, p := range f.Programs(3) {
			programs = append(programs, p)
			break
		}
	}
	used := map[string]int{}
	for i, p := range programs {
		checkRoundTrip(t, p, fmt.Sprint("program ", i))
		before := p.Clone()
		for _, o := range Operators() {
			places := map[string]bool{}
			for _, v := range o.Apply(p, programs[(i+1)%len(programs)]) {
				what := fmt.Sprintf("program %d, %s at %s", i, o.ID, v.Place)
				if places[v.Place] {
					t.Errorf("%s: twice", what)
				}
				places[v.Place] = true
				if v.Program.text() == p.text() && reflect.DeepEqual(v.Program.Resources, p.Resources) {
					t.Errorf("%s: nothing changed", what)
				}
				checkRoundTrip(t, v.Program, what)
				used[o.ID]++
			}
		}
		if !reflect.DeepEqual(before, p) {
			t.Fatalf("program %d was changed by an operator", i)
		}
	}
	for _, o := range Operators() {
		if used[o.ID] == 0 {
			t.Errorf("%s applies nowhere", o.ID)
		}
	}
	t.Log(len(programs), "programs; variants:", used)
}
