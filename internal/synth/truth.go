package synth

import "winnow/internal/rts"

// A Truth is how a test behaves, found by running it.
type Truth struct {
	rts.Record
	// Flaky means that it executed a flaky statement: running it again may give something else.
	Flaky bool
	// Unseen means that it read something that is neither recorded nor declared: nothing is promised about it.
	Unseen bool
}

// RunAll runs every test of a program, each in a process of its own, recording nothing.
func RunAll(p *Program, nonce int) map[rts.TestID]Truth {
	truth := map[rts.TestID]Truth{}
	project := Open(p, Accidents{Nonce: nonce})
	for i := range project.prog.Containers {
		c := &project.prog.Containers[i]
		for k := range c.Tests {
			rec, _, t := project.process(func(rts.Footprint) int { return 0 }).run(c, &c.Tests[k])
			truth[rec.Test] = Truth{rec, t.flaky, t.unseen}
		}
	}
	return truth
}
