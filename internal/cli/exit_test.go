package cli

import (
	"errors"
	"testing"

	"winnow/internal/engine"
	"winnow/internal/jvm/project"
)

// TestFailedRun: what went wrong with a run decides its exit code.
func TestFailedRun(t *testing.T) {
	for _, test := range []struct {
		err  error
		want Exit
	}{
		{errors.New("damaged"), ExitProject},
		{&project.UnheardError{Problems: []string{"p.A"}}, ExitMismatch},
		{errors.Join(nil, &project.UnheardError{Problems: []string{"p.A"}}), ExitMismatch},
	} {
		s := &session{}
		s.run.Report = &engine.Report{RunErr: test.err}
		if got := s.code(); got != test.want {
			t.Errorf("%v: %v, want %v", test.err, got, test.want)
		}
	}
}
