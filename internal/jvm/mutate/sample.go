package mutate

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
)

// Sample draws up to n mutants of classes, which are given by their names; fewer only if there are no more.
//
// It goes through the classes in an order that the seed decides, again and again, and takes from each class one mutant by the operator that has been taken
// least so far, and of those at random. So no class has two mutants before every class has one, and the operators are as even as the classes allow. With
// the same seed, a larger n adds mutants at the end.
//
// A method that hides one with code in a superclass or superinterface among the classes is an Override; see List for the others.
func Sample(seed uint64, n int, classes map[string][]byte) ([]Mutant, error) {
	order := slices.Sorted(maps.Keys(classes))
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	d := &draw{seed: seed, program: newProgram(classes), left: map[string]map[string][]Mutant{}, taken: map[string]int{}}
	var out []Mutant
	for len(order) > 0 && len(out) < n {
		var more []string
		for _, name := range order {
			if len(out) == n {
				break
			}
			m, ok, err := d.next(name)
			if err != nil {
				return nil, err
			}
			if ok {
				out, more = append(out, m), append(more, name)
			}
		}
		order = more
	}
	return out, nil
}

// A draw is the state of Sample.
type draw struct {
	seed    uint64
	program *program
	left    map[string]map[string][]Mutant // by class and operator, in the order in which they are taken
	taken   map[string]int                 // by operator
}

// next takes a mutant of a class, if one is left.
func (d *draw) next(class string) (Mutant, bool, error) {
	groups, ok := d.left[class]
	if !ok {
		var err error
		if groups, err = d.groups(class); err != nil {
			return Mutant{}, false, err
		}
		d.left[class] = groups
	}
	best := ""
	for _, operator := range Operators() {
		if len(groups[operator]) > 0 && (best == "" || d.taken[operator] < d.taken[best]) {
			best = operator
		}
	}
	if best == "" {
		return Mutant{}, false, nil
	}
	m := groups[best][0]
	groups[best] = groups[best][1:]
	d.taken[best]++
	return m, true, nil
}

// groups lists the mutants of a class by operator, in an order that depends on the seed and the class only.
func (d *draw) groups(class string) (map[string][]Mutant, error) {
	list, err := List(d.program.files[class])
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	h.Write([]byte(class))
	r := rand.New(rand.NewPCG(d.seed, h.Sum64()))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	groups := map[string][]Mutant{}
	for _, m := range list {
		if m.Class != class {
			return nil, fmt.Errorf("mutate: the class %s was given as %s", m.Class, class)
		}
		if m.Operator == Remove {
			hides, err := d.program.hides(class, m.Method)
			if err != nil {
				return nil, err
			}
			if hides {
				m.Operator = Override
			}
		}
		groups[m.Operator] = append(groups[m.Operator], m)
	}
	return groups, nil
}
