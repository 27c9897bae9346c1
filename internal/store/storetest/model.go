package storetest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/segment"
)

// A Statement is what one record says.
type Statement struct {
	Test       rts.TestID
	Outcome    rts.Outcome
	Incomplete bool
	Result     digest.Digest
	// Uses are all uses of the record's footprint and what it includes, sorted and distinct.
	Uses []rts.Use
	When time.Time
}

// String prints a statement in one line.
func (s Statement) String() string { return fmt.Sprintf("%s, last at %d", s.content(), s.When.Unix()) }

func (s Statement) content() string {
	return fmt.Sprintf("%s %s incomplete=%v result=%s on %s", s.Test, s.Outcome, s.Incomplete, s.Result.Short(), s.inputs())
}

// inputs prints the uses.
func (s Statement) inputs() string {
	var b strings.Builder
	for _, u := range s.Uses {
		fmt.Fprintf(&b, "[%s %s", u.Entity, u.Digest.Short())
		if u.Entries != nil {
			fmt.Fprintf(&b, " %v", u.Entries)
		}
		b.WriteString("]")
	}
	return b.String()
}

// IsProof reports whether the record can be a proof where no other record speaks against it.
func (s Statement) IsProof() bool { return s.Outcome.Proves() && !s.Incomplete }

// Statements returns what the records of a history say.
func (h History) Statements() []Statement {
	var all []Statement
	for _, rec := range h {
		for _, r := range rec.Records {
			uses := rts.SortUses(usesOf(rec.Footprints, r.Footprint))
			all = append(all, Statement{r.Test, r.Outcome, r.Incomplete, r.Result, uses, rec.Meta.When})
		}
	}
	return all
}

func usesOf(fps []rts.Footprint, n int) []rts.Use {
	uses := slices.Clone(fps[n].Uses)
	for _, inc := range fps[n].Includes {
		uses = append(uses, usesOf(fps, inc)...)
	}
	return uses
}

// Statements returns what the records of a view say.
func Statements(v *store.View) ([]Statement, error) {
	var all []Statement
	var failed error
	v.Records(func(r store.Stored) {
		uses, err := v.AllUses(r.Ref)
		if err != nil && failed == nil {
			failed = err
		}
		all = append(all, Statement{r.Test, r.Outcome, r.Incomplete, r.Result, uses, r.Meta.When})
	})
	return all, failed
}

// newest prints the statements, of equal ones the last.
func newest(all []Statement) []string {
	last := map[string]Statement{}
	for _, s := range all {
		if old, ok := last[s.content()]; !ok || s.When.After(old.When) {
			last[s.content()] = s
		}
	}
	lines := make([]string, 0, len(last))
	for _, s := range last {
		lines = append(lines, s.String())
	}
	slices.Sort(lines)
	return lines
}

// Answers returns what a store with this history answers, in the form of the function Answers.
func (h History) Answers() []string {
	lines := append(newest(h.Statements()), userLines(h.users())...)
	slices.Sort(lines)
	return lines
}

func (h History) users() users {
	all := users{}
	for _, s := range h.Statements() {
		for _, u := range s.Uses {
			all.note(segment.Input{Entity: u.Entity, Digest: u.Digest}, s.Test)
		}
	}
	return all
}

// answers adds to Answers which inputs are stale, and the bodies. Inputs that no record uses do not count: a store may
// forget them.
func (h History) answers(snap snapshot) []string {
	lines := h.Answers()
	for in := range h.users() {
		if now := snap[in.Entity]; !in.Digest.Same(now) {
			lines = append(lines, staleLine(in, now))
		}
	}
	for d, b := range h.bodies() {
		lines = append(lines, bodyLine(d, b))
	}
	slices.Sort(lines)
	return lines
}

func (h History) bodies() map[digest.Digest][]byte {
	all := map[digest.Digest][]byte{}
	for _, rec := range h {
		maps.Copy(all, rec.Bodies)
	}
	return all
}

// users are the tests that use each input.
type users map[segment.Input]map[rts.TestID]bool

func (u users) note(in segment.Input, test rts.TestID) {
	if u[in] == nil {
		u[in] = map[rts.TestID]bool{}
	}
	u[in][test] = true
}

func userLines(u users) []string {
	var lines []string
	for in, tests := range u {
		lines = append(lines, fmt.Sprintf("%s %s is used by %v", in.Entity, in.Digest.Short(), slices.Sorted(maps.Keys(tests))))
	}
	return lines
}

func staleLine(in segment.Input, now digest.Digest) string {
	return fmt.Sprintf("%s %s is %s now", in.Entity, in.Digest.Short(), now.Short())
}

func bodyLine(d digest.Digest, b []byte) string { return fmt.Sprintf("body %s is %q", d, b) }

// Answers asks a view for the newest statement of each kind and for the tests that use each input: sorted lines of text.
func Answers(v *store.View) ([]string, error) {
	all, err := Statements(v)
	if err != nil {
		return nil, err
	}
	used, err := viewUsers(v)
	if err != nil {
		return nil, err
	}
	lines := append(newest(all), userLines(used)...)
	slices.Sort(lines)
	return lines, nil
}

// viewAnswers asks a view for what History.answers computes.
func viewAnswers(v *store.View, snap snapshot, bodies map[digest.Digest][]byte) ([]string, error) {
	lines, err := Answers(v)
	if err != nil {
		return nil, err
	}
	used, err := viewUsers(v)
	if err != nil {
		return nil, err
	}
	stale := map[string]bool{}
	v.Stale(snap, func(_ store.InputRef, in segment.Input, now digest.Digest) {
		if used[in] != nil {
			stale[staleLine(in, now)] = true
		}
	})
	lines = slices.AppendSeq(lines, maps.Keys(stale))
	for d := range bodies {
		b, ok, err := v.Body(d)
		if err != nil {
			return nil, err
		}
		if ok {
			lines = append(lines, bodyLine(d, b))
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// viewUsers follows every input to the tests that use it.
func viewUsers(v *store.View) (users, error) {
	tests := map[store.FootprintRef][]rts.TestID{}
	v.Records(func(r store.Stored) { tests[r.Ref] = append(tests[r.Ref], r.Test) })
	entities := map[rts.Entity]bool{}
	v.Entities(func(e rts.Entity) { entities[e] = true })
	all := users{}
	var failed error
	for e := range entities {
		v.Inputs(e, func(ref store.InputRef, d digest.Digest) {
			owners, err := v.Owners(ref)
			if err != nil {
				failed = err
			}
			for _, f := range owners {
				includers(v, f, func(f store.FootprintRef) {
					for _, t := range tests[f] {
						all.note(segment.Input{Entity: e, Digest: d}, t)
					}
				})
			}
		})
	}
	return all, failed
}

// includers calls f for a footprint and all that include it, some perhaps more than once.
func includers(v *store.View, ref store.FootprintRef, f func(store.FootprintRef)) {
	f(ref)
	for _, up := range v.IncludedBy(ref) {
		includers(v, up, f)
	}
}

// difference tells how two sorted lists of lines differ, "" if they are equal.
func difference(got, want []string) string {
	var b strings.Builder
	for _, line := range got {
		if _, ok := slices.BinarySearch(want, line); !ok {
			fmt.Fprintf(&b, "not expected: %s\n", line)
		}
	}
	for _, line := range want {
		if _, ok := slices.BinarySearch(got, line); !ok {
			fmt.Fprintf(&b, "missing: %s\n", line)
		}
	}
	if b.Len() == 0 && len(got) != len(want) {
		return "a line is repeated"
	}
	return b.String()
}
