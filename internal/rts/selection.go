package rts

// A Verdict is the answer for one module.
type Verdict string

const (
	// Exact: some tests are selected, each with its reasons; every other one has a proof.
	Exact Verdict = "exact"
	// ProvenEmpty: no test is selected, and every one has a proof.
	ProvenEmpty Verdict = "proven-empty"
	// Full: every test is selected for a reason that is not about the single test.
	Full Verdict = "full"
	// NoTests: the module has no tests; nothing was left out.
	NoTests Verdict = "no-tests"
)

// A Proof says why a test need not run: a passing record whose every input is as it was.
type Proof struct {
	Meta Meta
	// Inputs is the number of distinct uses that were compared.
	Inputs int
	// Differences are the uses that do differ but that the technique showed not to matter, each with its argument.
	Differences []Difference
	// Unproven: there is no such record. A technique that is unsafe leaves the test out all the same.
	Unproven bool
}

// A Difference is a use whose entity changed without the test being affected.
type Difference struct {
	Entity Entity
	// Why is the technique's argument, for example "the changed branch was not taken".
	Why string
}

// A Decision is the answer for one test. Either Reasons is not empty and the test is selected, or Proof is set and it is left out.
type Decision struct {
	Test    Test
	Reasons []Reason
	Proof   *Proof
	// Obsolete says why a test that was recorded can never be run again. Such a test is neither selected nor proven: it is reported.
	Obsolete string
}

// Selected reports whether the test is to be run. A decision with neither reasons nor proof selects (S1.1).
func (d *Decision) Selected() bool { return d.Obsolete == "" && (d.Proof == nil || len(d.Reasons) > 0) }

// Unproven is the number of tests that are left out without a proof.
func (s *Selection) Unproven() int {
	n := 0
	for i := range s.Decisions {
		if d := &s.Decisions[i]; !d.Selected() && d.Proof != nil && d.Proof.Unproven {
			n++
		}
	}
	return n
}

// A Change is an entity that differs from what some record saw.
type Change struct {
	Entity Entity
	Code   Code
	// Tests is the number of tests that are selected because of it.
	Tests int
}

// A ModuleVerdict is the verdict for one module, with the reason that forced Full.
type ModuleVerdict struct {
	Module   string
	Verdict  Verdict
	Tests    int
	Selected int
	// Obsolete is the number of tests that ask about something that is gone.
	Obsolete int
	// Why is the common reason of a Full verdict, nil otherwise.
	Why *Reason
}

// A Selection is the answer for a project.
type Selection struct {
	Modules   []ModuleVerdict
	Decisions []Decision
	// Changes are sorted by entity.
	Changes []Change
	// Obsolete are tests with records that do not exist in the project any more: neither selected nor silently dropped.
	Obsolete []TestID
}

// Stranded returns the decisions about tests that exist but ask about something that is gone.
func (s *Selection) Stranded() []*Decision {
	var out []*Decision
	for i := range s.Decisions {
		if s.Decisions[i].Obsolete != "" {
			out = append(out, &s.Decisions[i])
		}
	}
	return out
}

// Selected returns the tests to run, in the order of the decisions.
func (s *Selection) Selected() []TestID {
	var ids []TestID
	for i := range s.Decisions {
		if s.Decisions[i].Selected() {
			ids = append(ids, s.Decisions[i].Test.ID)
		}
	}
	return ids
}
