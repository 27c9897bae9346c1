// Package cases has the bugs of Table VII of the paper on RTSCheck as evolving programs.
//
// Table VII lists 27 bugs that were found in Clover, Ekstazi and STARTS. Nine are lacks of safety and four lacks of precision: each of these is an evolving program here, made so
// that a tool with the bug violates the rule of the table, and that a right one selects exactly the tests that are listed. The other 14 concern builds and frameworks in which a tool
// breaks down: they are conditions on Maven projects (Conditions), under which R6 and R7 must hold.
//
// Not here: nothing is run.
//
// Citation: C. Zhu, O. Legunsen, A. Shi, M. Gligoric, "A framework for checking regression test selection tools", ICSE 2019.
package cases

import (
	"embed"
	"fmt"

	"winnow/internal/check/evolve"
	"winnow/internal/check/rule"
)

//go:embed programs/*.txtar
var programs embed.FS

// A Case is a bug of the table as an evolving program.
type Case struct {
	ID    string // in lower case
	Title string
	Kind  rule.Kind
	Rule  string // that a tool with the bug violates
	// Selects are the tests that have to run at the last revision, by the name of the method.
	Selects []string
}

// All are the bugs of safety and precision.
var All = []Case{
	{"clover-1", "moving a class does not update the dependency cache", rule.Safety, "R1", []string{"moved"}},
	{"clover-2", "accessing a field does not create a dependency", rule.Safety, "R1", []string{"field"}},
	{"clover-3", "overriding a method is not captured", rule.Safety, "R1", []string{"overridden"}},
	{"clover-4", "using a class with instanceof is not captured", rule.Safety, "R1", []string{"type"}},
	{"clover-5", "invoking a constructor and introspecting the class does not create a dependency", rule.Safety, "R1", []string{"introspection"}},
	{"clover-7", "hiding a field is not detected", rule.Safety, "R1", []string{"hidden"}},
	{"clover-8", "an overloaded method and a change of the class hierarchy is not detected", rule.Safety, "R1", []string{"overloaded"}},
	{"starts-1", "invoking tests through a suite does not create dependencies on tests", rule.Safety, "R1", []string{"outer"}},
	{"all-1", "changes of files that are no Java are not detected", rule.Safety, "R1", []string{"status"}},
	{"clover-9", "tests that a suite invokes always run", rule.Precision, "R3", nil},
	{"ekstazi-1", "tests of a runner that is not wrapped run again without a change", rule.Precision, "R5", nil},
	{"ekstazi-2", "two tests are selected though nothing changed", rule.Precision, "R5", nil},
	{"starts-2", "a single suite of all tests always runs all tests", rule.Precision, "R3", nil},
}

// Program reads the evolving program of a case.
func (c *Case) Program() (*evolve.Evolving, error) {
	text, err := programs.ReadFile("programs/" + c.ID + ".txtar")
	if err != nil {
		return nil, err
	}
	e, err := evolve.ParseEvolving(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.ID, err)
	}
	return e, nil
}
