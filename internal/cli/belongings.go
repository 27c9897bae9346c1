package cli

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"winnow/internal/jvm/project"
	"winnow/internal/rts"
	"winnow/internal/store"
)

// A belongings knows for every footprint the tests of a module to which it belongs.
type belongings struct {
	view    *store.View
	tests   []rts.TestID // by number, sorted
	numbers map[rts.TestID]int
	records map[store.FootprintRef]*found // whose own it is
	above   map[store.FootprintRef]*found // of footprints that others include
	lists   map[string][]rts.TestID       // by set
	before  bool                          // there are records from before this run
}

// A found is the tests that have something as their own: not as something that another test left behind.
type found struct {
	tests testSet
	old   testSet // those that have it in a record from before this run
}

// A testSet has a bit for the number of each test.
type testSet []uint64

func (s testSet) has(n int) bool { return n/64 < len(s) && s[n/64]>>(n%64)&1 != 0 }

// with is the union of two sets; the first may be changed.
func (s testSet) with(other testSet) testSet {
	if len(s) < len(other) {
		s = append(s, make(testSet, len(other)-len(s))...)
	}
	for i, word := range other {
		s[i] |= word
	}
	return s
}

func (s testSet) add(n int) testSet {
	if n/64 >= len(s) {
		s = append(s, make(testSet, n/64+1-len(s))...)
	}
	s[n/64] |= 1 << (n % 64)
	return s
}

func (s testSet) each(f func(n int)) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			f(64*i + bits.TrailingZeros64(word))
		}
	}
}

func (of *found) join(other *found) {
	if other != nil {
		of.tests, of.old = of.tests.with(other.tests), of.old.with(other.old)
	}
}

func (h *mavenRun) belongings(v *store.View, m *mavenModule) *belongings {
	b := &belongings{view: v, numbers: map[rts.TestID]int{}, records: map[store.FootprintRef]*found{}, above: map[store.FootprintRef]*found{}, lists: map[string][]rts.TestID{}}
	v.Records(func(r store.Stored) {
		if _, known := b.numbers[r.Test]; !known && m.Owns(r.Test) {
			b.numbers[r.Test] = 0
			b.tests = append(b.tests, r.Test)
		}
	})
	slices.Sort(b.tests)
	for n, id := range b.tests {
		b.numbers[id] = n
	}
	v.Records(func(r store.Stored) {
		n, known := b.numbers[r.Test]
		if !known {
			return
		}
		of := b.records[r.Ref]
		if of == nil {
			of = &found{}
			b.records[r.Ref] = of
		}
		of.tests = of.tests.add(n)
		if !r.Meta.When.Equal(h.meta.When) {
			of.old, b.before = of.old.add(n), true
		}
	})
	return b
}

// of finds the tests to which one of several footprints belongs.
func (b *belongings) of(footprints ...store.FootprintRef) *found {
	of := &found{}
	for _, g := range footprints {
		of.join(b.from(g))
	}
	return of
}

// from finds the tests to which a footprint belongs: those whose own it is, and those to which what includes it belongs. What is found of a footprint that others include is kept: most ways up lead through the same few.
func (b *belongings) from(g store.FootprintRef) *found {
	label := b.view.Label(g)
	if label == "" || project.LeftBehind(label) { // who includes it has it from another test
		return b.records[g]
	}
	if of, known := b.above[g]; known {
		return of
	}
	by := b.view.IncludedBy(g)
	if len(by) == 0 {
		return b.records[g]
	}
	of := &found{}
	of.join(b.records[g])
	for _, up := range by {
		of.join(b.from(up))
	}
	b.above[g] = of
	return of
}

// with finds the tests that have an entity.
func (b *belongings) with(e rts.Entity) (*found, error) {
	owners, err := b.view.Having(e)
	return b.of(owners...), err
}

// ids lists the tests of a set. Many sets are the same.
func (b *belongings) ids(s testSet) []rts.TestID {
	var key []byte
	for _, word := range s {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	list, known := b.lists[string(key)]
	if !known {
		s.each(func(n int) { list = append(list, b.tests[n]) })
		b.lists[string(key)] = list
	}
	return list
}
