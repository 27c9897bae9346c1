package statements

import "winnow/internal/semantics/minijvm"

// A Claim is one line of the table of statements.
type Claim uint8

// The claims that hold for every program or pair.
const (
	NaiveStep Claim = iota
	NaiveSafe
	SmartSafe
	SameStates
	Histories
	Forward
	Backward
	NaiveIsSmart
	EkstaziNeverLess
	EkstaziSafe
	claims
)

// descriptions has, for every claim, the number of its statement, its place in the paper, and the claim.
var descriptions = [claims]struct {
	statement     int
	place, claims string
}{
	NaiveStep:        {1, "6.1", "naive: a step whose classes did not change leads to the same state and collection"},
	NaiveSafe:        {2, "6.2", "naive: no collected class changed, so the final state and the collection are the same"},
	SmartSafe:        {2, "6.6", "smart: no collected class changed, so the final state and the collection are the same"},
	SameStates:       {2, "4.2", "the collecting big step reaches the states of the plain one"},
	Histories:        {2, "5.2", "deselected at every change of a history: the same output at its end"},
	Forward:          {2, "6.3", "what a smart step promises to collect is collected by the end"},
	Backward:         {2, "6.4", "what a smart step relies on was collected before it"},
	NaiveIsSmart:     {3, "6.5", "naive and smart collect the same classes"},
	EkstaziNeverLess: {4, "6.3", "Ekstazi as it should be: the same set as smart, never later"},
	EkstaziSafe:      {4, "6.3", "Ekstazi as it should be: no collected class changed, so the same output"},
}

// ofPairs tells whether a claim is about pairs; the others are about single programs.
func (c Claim) ofPairs() bool {
	return c == NaiveStep || c == NaiveSafe || c == SmartSafe || c == Histories || c == EkstaziSafe
}

// A Count says how far a claim was checked.
type Count struct {
	// Programs were run, Pairs compared, Held is the number of pairs (for NaiveStep: of steps) whose premise held, and Steps those of the machine that were looked at.
	Programs, Pairs, Held, Steps uint64
}

func (c *Count) add(o Count) {
	c.Programs += o.Programs
	c.Pairs += o.Pairs
	c.Held += o.Held
	c.Steps += o.Steps
}

// A Tally counts for every claim, in each strength.
type Tally struct {
	Claims [2][claims]Count
	// Unfinished programs were left out.
	Unfinished uint64
	// Ran is the number of steps that the machine took for all claims together.
	Ran uint64
}

// Add adds the counts of another tally.
func (t *Tally) Add(o *Tally) {
	for s := range t.Claims {
		for c := range t.Claims[s] {
			t.Claims[s][c].add(o.Claims[s][c])
		}
	}
	t.Unfinished += o.Unfinished
	t.Ran += o.Ran
}

// strengths is a set of strengths, as bits.
type strengths uint8

func strengthOf(s minijvm.Strength) strengths { return 1 << s }

// count adds to a claim in all strengths of a set.
func (t *Tally) count(in strengths, c Claim, n Count) {
	for s := range t.Claims {
		if in&(1<<s) != 0 {
			t.Claims[s][c].add(n)
		}
	}
}

// A Failure is a program, or a pair, for which a claim does not hold.
type Failure struct {
	Claim    Claim
	Strength minijvm.Strength
	Pair     minijvm.Pair
	Detail   string
}
