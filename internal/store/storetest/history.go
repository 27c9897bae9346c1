package storetest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

var (
	cases = flag.Int("storetest.cases", 12, "number of random histories for each property")
	first = flag.Uint64("storetest.seed", 1, "seed of the first random history")
)

// A History is a list of recordings in the order in which they are stored. No two have the same time.
type History []*rts.Recording

// NewHistory makes up n recordings. They are about few tests and few entities, so that equal inputs with
// different outcomes, and inputs that overlap, are frequent. Times do not follow the order of the recordings.
func NewHistory(r *rand.Rand, n int) History {
	traces := make([][]rts.Footprint, 4)
	for i := range traces {
		traces[i] = newTrace(r)
	}
	var h History
	for _, when := range r.Perm(n) {
		h = append(h, newRecording(r, when, traces[r.IntN(len(traces))]))
	}
	return h
}

func newRecording(r *rand.Rand, when int, trace []rts.Footprint) *rts.Recording {
	rec := &rts.Recording{
		Meta: rts.Meta{
			When: time.Unix(1_700_000_000+int64(when), 0).UTC(), Revision: fmt.Sprint("r", r.IntN(5)),
			Dirty: r.IntN(2) == 0, Technique: "t",
		},
		Footprints: trace,
		Bodies:     map[digest.Digest][]byte{},
	}
	for test := range 5 {
		if r.IntN(2) == 0 {
			rec.Records = append(rec.Records, newRecord(r, test, len(trace)))
		}
	}
	for _, f := range trace {
		for _, u := range f.Uses {
			rec.Bodies[u.Digest] = []byte("body of " + u.Digest.String())
		}
	}
	return rec
}

func newRecord(r *rand.Rand, test, footprints int) rts.Record {
	rec := rts.Record{
		Test: rts.TestID(fmt.Sprint("m#", test)), Outcome: rts.Passed, Duration: time.Duration(r.IntN(1000)) * time.Millisecond,
		Footprint: r.IntN(footprints), Incomplete: r.IntN(5) == 0, Result: digest.OfString(fmt.Sprint(r.IntN(2))),
	}
	if r.IntN(3) == 0 {
		rec.Outcome = rts.Outcome(r.IntN(int(rts.Outcomes)))
	}
	return rec
}

func newTrace(r *rand.Rand) []rts.Footprint {
	fps := make([]rts.Footprint, 1+r.IntN(5))
	for i := range fps {
		for range r.IntN(5) {
			fps[i].Uses = append(fps[i].Uses, newUse(r))
		}
		fps[i].Uses = rts.SortUses(fps[i].Uses)
		for j := range i {
			if r.IntN(3) == 0 {
				fps[i].Includes = append(fps[i].Includes, j)
			}
		}
		if r.IntN(2) == 0 {
			fps[i].Label = fmt.Sprint("init ", i)
		}
	}
	return fps
}

func newUse(r *rand.Rand) rts.Use {
	u := rts.Use{
		Entity: rts.Entity{Kind: rts.Kind([]string{"cell", "file"}[r.IntN(2)]), Name: fmt.Sprint("e", r.IntN(5))},
		Digest: digest.OfString(fmt.Sprint(r.IntN(2))),
	}
	if r.IntN(8) == 0 {
		u.Digest = digest.Absent
	}
	if r.IntN(4) == 0 {
		u.Entries = []uint32{uint32(r.IntN(3)), 3}
	}
	return u
}

// newSnapshot gives each entity one of the versions that histories are about, or none.
func newSnapshot(r *rand.Rand) snapshot {
	s := snapshot{}
	for _, kind := range []rts.Kind{"cell", "file"} {
		for i := range 5 {
			s[rts.Entity{Kind: kind, Name: fmt.Sprint("e", i)}] = digest.OfString(fmt.Sprint(r.IntN(3)))
		}
	}
	return s
}

type snapshot map[rts.Entity]digest.Digest

func (s snapshot) Digest(e rts.Entity) digest.Digest { return s[e] }

// String prints a history, one line for each record.
func (h History) String() string {
	var b strings.Builder
	for i, rec := range h {
		fmt.Fprintf(&b, "recording %d at %d\n", i, rec.Meta.When.Unix())
		for _, s := range (History{rec}).Statements() {
			fmt.Fprintf(&b, "  %s\n", s)
		}
	}
	return b.String()
}

// check tries a property on random histories, and reports the smallest failing one that it finds. The property gets a source of
// randomness of its own, which is the same at every try.
func check(t *testing.T, property func(h History, r *rand.Rand) error) {
	t.Helper()
	for seed := *first; seed < *first+uint64(*cases); seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		h := NewHistory(r, 1+r.IntN(14))
		try := func(h History) error { return property(h, rand.New(rand.NewPCG(seed, 2))) }
		err := try(h)
		if err == nil {
			continue
		}
		small, smallErr := shrink(h, err, try)
		t.Fatalf("seed %d (repeat with -storetest.seed=%d -storetest.cases=1): %v\nsmallest failing history: %v\n%s", seed, seed, err, smallErr, small)
	}
}

// shrink leaves out recordings and records as long as the property still fails.
func shrink(h History, err error, try func(History) error) (History, error) {
	for again := true; again; {
		again = false
		for _, smaller := range h.smaller() {
			if e := try(smaller); e != nil {
				h, err, again = smaller, e, true
				break
			}
		}
	}
	return h, err
}

// smaller returns the histories that have one recording or one record less.
func (h History) smaller() []History {
	var all []History
	for i := range h {
		all = append(all, slices.Delete(slices.Clone(h), i, i+1))
	}
	for i, rec := range h {
		for j := range rec.Records {
			less := *rec
			less.Records = slices.Delete(slices.Clone(rec.Records), j, j+1)
			next := slices.Clone(h)
			next[i] = &less
			all = append(all, next)
		}
	}
	return all
}
