package rts

import (
	"encoding/binary"
	"time"

	"winnow/internal/digest"
)

// A TestID names a test within a project, on every machine alike, for example "budget.xlsx#full price".
type TestID string

// A Test is a test that exists in the project now.
type Test struct {
	ID TestID
	// Module is the part of the project that the test belongs to; a verdict is given per module.
	Module string
	// Always, if set, is the reason why no record can ever be a proof for this test: Pinned, Opaque or External.
	Always Code
	// AlwaysWhy says in words where Always comes from, for example "winnow.toml:4".
	AlwaysWhy string
	// Gone, if set, says that what the test asks about does not exist: its query cell, its method. If it has ever passed it is obsolete then.
	Gone string
}

// An Outcome is how a run of a test ended.
type Outcome uint8

const (
	// OutcomeNone means that the test started and its end was not seen: it was interrupted. It says nothing about the test.
	OutcomeNone Outcome = iota
	// Passed means that the test ran to its end and found what it expects.
	Passed
	// Failed means that the test ran and its expectation did not hold.
	Failed
	// Errored means that the test could not be carried out, for example because a cell cannot be computed.
	Errored
	// Killed means that the test took its process down; its trace is incomplete.
	Killed
	// Skipped means that the framework reported the test as skipped.
	Skipped
)

var outcomeNames = [...]string{"interrupted", "passed", "failed", "error", "killed", "skipped"}

// String returns the outcome's word, the one that JSON uses.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return "unknown"
}

// Proves tells whether a record with this outcome can be a proof (S1.2): that a test with the same inputs passes again, or that the framework
// skips it again.
func (o Outcome) Proves() bool { return o == Passed || o == Skipped }

// Outcomes is the number of outcomes; a decoder refuses larger values.
const Outcomes = Outcome(len(outcomeNames))

// A Footprint is a set of uses. Footprints that several tests share (set-up code, initialization, tests with equal
// traces) are recorded once and included by index.
type Footprint struct {
	// Label says what a shared footprint stands for, for example "init shop" or "set-up of ShopTest". Own footprints have none, and
	// neither has a bin: what several tests with equal traces have in common.
	Label string
	// Uses are sorted and distinct.
	Uses []Use
	// Includes are indices of other footprints of the same recording whose uses count too, transitively.
	Includes []int
}

// Content names the content of a footprint whose uses are sorted: footprints of one recording with the same name are the same.
func (f *Footprint) Content() digest.Digest {
	size := 64 + len(f.Label) + 5*len(f.Includes)
	for _, u := range f.Uses {
		size += 16 + len(u.Entity.Kind) + len(u.Entity.Name) + len(u.Digest) + 2*len(u.Entries)
	}
	buf := binary.AppendUvarint(make([]byte, 0, size), uint64(len(f.Label)))
	buf = binary.AppendUvarint(append(buf, f.Label...), uint64(len(f.Includes)))
	for _, inc := range f.Includes {
		buf = binary.AppendUvarint(buf, uint64(inc))
	}
	for _, u := range f.Uses {
		buf = binary.AppendUvarint(buf, uint64(len(u.Entity.Kind)))
		buf = append(buf, u.Entity.Kind...)
		buf = binary.AppendUvarint(buf, uint64(len(u.Entity.Name)))
		buf = append(buf, u.Entity.Name...)
		buf = append(buf, u.Digest[:]...)
		if u.Entries == nil {
			buf = append(buf, 0)
			continue
		}
		buf = binary.AppendUvarint(append(buf, 1), uint64(len(u.Entries)))
		for _, e := range u.Entries {
			buf = binary.AppendUvarint(buf, uint64(e))
		}
	}
	return digest.Of(buf)
}

// A Record is one finished run of one test.
type Record struct {
	Test     TestID
	Outcome  Outcome
	Duration time.Duration
	// Footprint is the index of the footprint that holds, with all it includes, everything the test used.
	Footprint int
	// Incomplete marks a footprint that may lack uses; such a record is no proof (S1.7).
	Incomplete bool
	// Result names what the test observed, if the front end can tell: two runs with the same Result behaved alike.
	Result digest.Digest
}

// A Recording is what one run of a front end observed: pure data, to be stored as a whole.
type Recording struct {
	Meta       Meta
	Footprints []Footprint
	Records    []Record
	// Bodies are the bodies that entries refer to, and whatever else a technique needs to compare an old entity
	// with a new one, by digest.
	Bodies map[digest.Digest][]byte
}

// Meta says where a recording comes from. Nothing in it is used to decide whether a test is affected.
type Meta struct {
	// When is the time of the recording, in UTC, to the millisecond.
	When time.Time
	// Revision is the commit that was checked out, "" if there was none.
	Revision string
	// Dirty means that the tree differed from that commit.
	Dirty bool
	// Technique is the name of the technique that asked for the recording.
	Technique string
}
