package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"winnow/internal/rts"
	"winnow/internal/verify"
)

// The worst proof decides about the exit code, and every finding is shown.
func TestVerifyShows(t *testing.T) {
	finding := func(s verify.Status) verify.Finding {
		return verify.Finding{Test: "p.T#m", Status: s, Entity: rts.Entity{Kind: "class", Name: "p/A"}, Through: "set-up of T", Says: "so"}
	}
	for _, test := range []struct {
		rep  verify.Report
		code Exit
		want string
	}{
		{verify.Report{Proofs: 1, Held: 1}, ExitOK, "1 proofs checked: 1 hold, 0 do not, 0 are not re-established\n"},
		{verify.Report{Proofs: 1, Open: 1, Findings: []verify.Finding{finding(verify.Open)}}, ExitOpen, "p.T#m\n  is not re-established: class p/A: so (set-up of T)\n1 proofs"},
		{verify.Report{Proofs: 2, Open: 1, Broken: 1, Findings: []verify.Finding{finding(verify.Broken), finding(verify.Open)}}, ExitProof, "p.T#m\n  does not hold: class p/A: so (set-up of T)\n  is not re-established: "},
	} {
		var out bytes.Buffer
		s := &session{app: &app{Machine: Machine{Out: &out}}, w: &workspace{}}
		err := s.showProofs(&test.rep)
		var q quit
		if err != nil && !errors.As(err, &q) {
			t.Error(err)
		}
		if q.code != test.code {
			t.Errorf("exit code %d, want %d", q.code, test.code)
		}
		if !strings.HasPrefix(out.String(), test.want) {
			t.Errorf("got\n%s\nwant\n%s", out.String(), test.want)
		}
	}
}
