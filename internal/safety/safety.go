// Package safety names the safety rules of docs/safety.md, so that the code that implements a rule can be switched off.
//
// The zero value of Rules has every rule in force, and nothing outside tests makes another one: a rule is switched
// off only to show that the tests would notice. A rule number in parentheses in a comment, like (S1.2), stands
// where the rule is implemented.
//
// This package is no configuration: no user can reach it.
package safety

// A Rule is the number of a rule in docs/safety.md.
type Rule string

// The rules that can be switched off. Every other rule of docs/safety.md holds by construction and is tested directly.
const (
	NoRecordSelects    Rule = "S1.1"
	OnlyPassProves     Rule = "S1.2"
	InputsUnchanged    Rule = "S1.3"
	OwnRevision        Rule = "S1.4"
	AgreementNeeded    Rule = "S1.5"
	SharedCounts       Rule = "S1.6"
	CompleteOnly       Rule = "S1.7"
	UnknownDiffers     Rule = "S1.8"
	SettledInputs      Rule = "S1.9"
	AlwaysSelected     Rule = "S1.10"
	ErrorSelects       Rule = "S1.11"
	FingerprintCounts  Rule = "S1.12"
	AppearanceCounts   Rule = "S1.13"
	DeclaredCounts     Rule = "S1.14"
	MissingBodyIsWhole Rule = "S2.1"
	AdaptorCovers      Rule = "S2.2"
	NewLabelsCount     Rule = "S2.3"
	ReconcileRuns      Rule = "S3.1"
	PrecedentsChecked  Rule = "S5.1"
	BlankCounts        Rule = "S5.2"
	PopulationCounts   Rule = "S5.3"
	SetPlacesCount     Rule = "S5.4"
	NamesCount         Rule = "S5.5"
	EveryReadCompared  Rule = "S5.6"
	PlacesCount        Rule = "S5.7"
	NamedCounts        Rule = "S8.1"
	InitializersCount  Rule = "S8.2"
	AroundCounts       Rule = "S8.3"
	UnwatchedCounts    Rule = "S8.4"
	OtherClassDiffers  Rule = "S8.5"
	OwnClassCounts     Rule = "S8.6"
	VainCounts         Rule = "S8.7"
	OutsideCounts      Rule = "S8.8"
	DiscoveryCounts    Rule = "S8.9"
	StateCounts        Rule = "S8.10"
	AbsentCounts       Rule = "S8.11"
	BegunCounts        Rule = "S8.12"
	PassNeedsBacking   Rule = "S8.13"
	AskedCounts        Rule = "S8.14"
	EmptyCounts        Rule = "S8.15"
	ChangesCount       Rule = "S8.16"
)

// Rules tells which rules are in force. The zero value has all of them.
type Rules struct{ off Rule }

// Without returns rules of which one is switched off. It is for tests only.
func Without(r Rule) Rules { return Rules{r} }

// Hold reports whether the rule is in force.
func (r Rules) Hold(rule Rule) bool { return r.off != rule }
