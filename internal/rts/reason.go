package rts

import "fmt"

// A Code is the machine-readable kind of a reason. The list is closed: CLI, JSON, JUnit and reports use these and no others.
type Code string

const (
	// InputChanged: an entity that the test used has another content now.
	InputChanged Code = "input-changed"
	// InputRemoved: an entity that the test used does not exist any more.
	InputRemoved Code = "input-removed"
	// InputAppeared: an entity that the test looked for in vain exists now.
	InputAppeared Code = "input-appeared"
	// InputUnreadable: the present content of an entity that the test used cannot be determined.
	InputUnreadable Code = "input-unreadable"
	// TestChanged: the definition of the test is another one now.
	TestChanged Code = "test-changed"
	// EnvChanged: an environment variable or property that the test read has another value now.
	EnvChanged Code = "env-changed"
	// ToolchainChanged: an item of the run's fingerprint is another one now.
	ToolchainChanged Code = "toolchain-changed"
	// NoRecord: nothing is known about the test; it is new, or its records were lost.
	NoRecord Code = "no-record"
	// NotAtBase: there are records, but none that --base admits.
	NotAtBase Code = "not-at-base"
	// FailedLast: with these inputs the test did not pass.
	FailedLast Code = "failed-last"
	// Interrupted: the last run of the test with these inputs was not finished.
	Interrupted Code = "interrupted"
	// StateBegun: a test that ran begins to change state that the test reads.
	StateBegun Code = "state-begun"
	// Accompanies: without the test, another one that runs may end otherwise than with it.
	Accompanies Code = "accompanies"
	// Unstable: with these very inputs the test both passed and did not pass.
	Unstable Code = "unstable"
	// Incomplete: the record with these inputs may lack some of what the test used.
	Incomplete Code = "incomplete-record"
	// Pinned: winnow.toml says that the test always runs.
	Pinned Code = "pinned"
	// Opaque: the test uses something that cannot be tracked.
	Opaque Code = "opaque"
	// External: the test depends on something outside the project that is not declared.
	External Code = "external"
	// Asked: the user asked for all tests.
	Asked Code = "asked"
	// Unsupported: the set-up is not one that selection can be trusted with.
	Unsupported Code = "unsupported"
	// InternalError: the decision itself failed.
	InternalError Code = "internal-error"
	// TechniqueAll: the technique selects every test by definition.
	TechniqueAll Code = "technique"
)

// Codes is the closed list, each code with the sentence that explains it to a user.
var Codes = []struct {
	Code Code
	Says string
}{
	{InputChanged, "an entity that the test used has another content now"},
	{InputRemoved, "an entity that the test used does not exist any more"},
	{InputAppeared, "an entity that the test looked for in vain exists now"},
	{InputUnreadable, "the present content of an entity that the test used cannot be determined"},
	{TestChanged, "the definition of the test is another one now"},
	{EnvChanged, "a variable or property that the test read has another value now"},
	{ToolchainChanged, "an item of the run's fingerprint is another one now"},
	{NoRecord, "nothing is known about the test: it is new, or its records were lost"},
	{NotAtBase, "there are records, but none that --base admits"},
	{FailedLast, "with these inputs the test did not pass"},
	{Interrupted, "the last run of the test with these inputs was not finished"},
	{StateBegun, "a test that ran begins to change state that the test reads"},
	{Accompanies, "without the test, another one that runs may end otherwise than with it"},
	{Unstable, "with these very inputs the test both passed and did not pass"},
	{Incomplete, "the record with these inputs may lack some of what the test used"},
	{Pinned, "winnow.toml says that the test always runs"},
	{Opaque, "the test uses something that cannot be tracked"},
	{External, "the test depends on something outside the project that is not declared"},
	{Asked, "all tests were asked for"},
	{Unsupported, "the set-up is not one that selection can be trusted with"},
	{InternalError, "the decision itself failed"},
	{TechniqueAll, "the technique selects every test by definition"},
}

// A Reason says why a test is selected.
type Reason struct {
	Code Code
	// Entity is what the reason is about, if it is about one entity.
	Entity Entity
	// Path is the witness: how the test reaches Entity, from the test's own start to the first difference.
	Path []string
	// Detail adds what a person wants to know, for example the old and the new formula.
	Detail string
}

// String returns the reason in one line, without its path.
func (r Reason) String() string {
	s := string(r.Code)
	if r.Entity != (Entity{}) {
		s += " " + r.Entity.String()
	}
	if r.Detail != "" {
		s += fmt.Sprintf(" (%s)", r.Detail)
	}
	return s
}
