package minijvm

import "errors"

// ErrUnfinished says that a run took more steps than it may. It is not a result: such a run is equal to nothing.
var ErrUnfinished = errors.New("the run took more steps than it may")

// ErrStuck says that a run came to a state that the program cannot continue. A well-formed program has no such run.
var ErrStuck = errors.New("the run came to a state without a next one that is no end")

// StepLimit is the number of steps after which a run is given up unless told otherwise.
const StepLimit = 10_000

// Run takes steps from s, in place, to an end state, and returns how many they were. The limit 0 means [StepLimit]. The error is [ErrUnfinished] or [ErrStuck].
func Run(p *Program, s *State, limit int) (steps int, err error) {
	if limit == 0 {
		limit = StepLimit
	}
	for !s.End() {
		if steps == limit {
			return steps, ErrUnfinished
		}
		if !Step(p, s) {
			return steps, ErrStuck
		}
		steps++
	}
	return steps, nil
}
