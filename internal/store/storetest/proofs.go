package storetest

import (
	"fmt"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

// NewProofs returns the proofs that a store with the statements after has on some snapshot, and a store with the statements before
// had not, one line each. There must be none after anything that forgets.
//
// It is enough to look at the snapshots that consist of a pass and one record that speaks against it: if a
// third record spoke against the pass on a larger snapshot only, it would not help on this one.
func NewProofs(before, after []Statement) []string {
	var found []string
	for _, pass := range after {
		if !pass.IsProof() {
			continue
		}
		if !contains(before, pass) {
			found = append(found, "from nowhere: "+pass.String())
		}
		for _, against := range before {
			if !against.speaksAgainst(pass) {
				continue
			}
			both, ok := union(pass.Uses, against.Uses)
			if ok && !spokenAgainst(after, pass, both) {
				found = append(found, fmt.Sprintf("%s\n  although %s", pass, against))
			}
		}
	}
	return found
}

func contains(all []Statement, s Statement) bool {
	for i := range all {
		if all[i].content() == s.content() {
			return true
		}
	}
	return false
}

// union returns the smallest snapshot on which both lists of uses hold, if there is one.
func union(a, b []rts.Use) (snapshot, bool) {
	s := snapshot{}
	for _, uses := range [][]rts.Use{a, b} {
		for _, u := range uses {
			if d, ok := s[u.Entity]; (ok && d != u.Digest) || u.Digest == digest.Unknown {
				return nil, false
			}
			s[u.Entity] = u.Digest
		}
	}
	return s, true
}

// speaksAgainst tells whether a record keeps a pass from being a proof where both hold. What an incomplete record used is not known, so a
// later pass has answered it.
func (s Statement) speaksAgainst(pass Statement) bool {
	return s.Test == pass.Test && !s.Outcome.Proves() && !(s.Incomplete && s.When.Before(pass.When))
}

func spokenAgainst(all []Statement, pass Statement, snap snapshot) bool {
	for _, s := range all {
		if s.speaksAgainst(pass) && snap.holds(s.Uses) {
			return true
		}
	}
	return false
}

func (s snapshot) holds(uses []rts.Use) bool {
	for _, u := range uses {
		if !u.Digest.Same(s[u.Entity]) {
			return false
		}
	}
	return true
}
