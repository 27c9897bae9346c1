package mutate

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/internal/digest"
)

// someClasses are those of an artifact that are judged in full: all with -full, else some small ones that the seed picks.
func someClasses(t *testing.T, artifact string) map[string][]byte {
	classes := jarClasses(t, artifact)
	if *full {
		return classes
	}
	const most, size = 15, 6 << 10
	names := slices.Sorted(maps.Keys(classes))
	names = slices.DeleteFunc(names, func(name string) bool { return len(classes[name]) > size })
	r := rand.New(rand.NewPCG(*seed, 0))
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	out := map[string][]byte{}
	for _, name := range names[:min(most, len(names))] {
		out[name] = classes[name]
	}
	return out
}

// The mutants of a class differ from each other, and for canon from the class; each printed form leads back to the same bytes; the class stays as it is.
func TestMutantsDiffer(t *testing.T) {
	total := 0
	for _, artifact := range []string{"commons-lang3", "junit-3.8"} {
		for name, class := range someClasses(t, artifact) {
			copied := bytes.Clone(class)
			want, err := meaning(class)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[digest.Digest]Mutant{}
			for _, m := range list(t, class) {
				total++
				data := apply(t, m, class)
				if other, ok := seen[digest.Of(data)]; ok {
					t.Errorf("%s and %s are the same", m, other)
				}
				seen[digest.Of(data)] = m
				if got, err := meaning(data); err != nil || got == want {
					t.Errorf("%s: canon sees no difference, error %v", m, err)
				}
				again, err := Parse(m.String())
				if err != nil || again != m {
					t.Errorf("%s came back as %s, error %v", m, again, err)
				}
			}
			if !bytes.Equal(class, copied) {
				t.Errorf("%s was changed", name)
			}
		}
	}
	t.Logf("seed %d: %d mutants", *seed, total)
	if total < 500 {
		t.Errorf("only %d mutants", total)
	}
}

// A sample is even over the classes and a prefix of a larger one, has no mutant twice, and depends on the seed.
func TestSample(t *testing.T) {
	classes := jarClasses(t, "junit-3.8")
	sample := func(seed uint64, n int) []Mutant {
		out, err := Sample(seed, n, classes)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	const n = 500
	large := sample(*seed, n)
	if len(large) != n || len(sample(*seed, 0)) != 0 {
		t.Fatalf("%d mutants, want %d", len(large), n)
	}
	if !slices.Equal(sample(*seed, 77), large[:77]) {
		t.Error("a smaller sample is not the start of a larger one")
	}
	if slices.Equal(sample(*seed+1, n), large) {
		t.Error("another seed gives the same sample")
	}
	seen, perClass := map[Mutant]bool{}, map[string]int{}
	for _, m := range large {
		if seen[m] {
			t.Errorf("%s twice", m)
		}
		seen[m] = true
		perClass[m.Class]++
	}
	most := slices.Max(slices.Collect(maps.Values(perClass)))
	for name, class := range classes {
		if got := perClass[name]; got < most-1 && got < len(list(t, class)) {
			t.Errorf("%s has %d mutants in the sample, another class %d", name, got, most)
		}
	}
}

// All mutants are those of the lists, except that Sample sees more overrides.
func TestSampleAll(t *testing.T) {
	classes := jarClasses(t, "junit-3.8")
	sampled, err := Sample(*seed, 1<<30, classes)
	if err != nil {
		t.Fatal(err)
	}
	left := map[Mutant]bool{}
	overrides := 0
	for _, class := range classes {
		for _, m := range list(t, class) {
			left[m.named()] = true
			if m.Operator == Override {
				overrides--
			}
		}
	}
	for _, m := range sampled {
		if !left[m.named()] {
			t.Errorf("%s is on no list", m)
		}
		delete(left, m.named())
		if m.Operator == Override {
			overrides++
		}
	}
	if len(left) > 0 || overrides <= 0 {
		t.Errorf("%d mutants are not in the sample; %d more overrides", len(left), overrides)
	}
}

func TestSampleWrongName(t *testing.T) {
	classes := jarClasses(t, "junit-3.8")
	wrong := map[string][]byte{"p/A": classes["junit/framework/TestResult"]}
	if out, err := Sample(*seed, 1, wrong); err == nil || out != nil {
		t.Errorf("%v, %v", out, err)
	}
	if out, err := Sample(*seed, 1, map[string][]byte{"p/A": []byte("no class")}); err == nil || out != nil {
		t.Errorf("%v, %v", out, err)
	}
}
