// Package check finds the bugs of selection tools, Winnow's own first: it runs tools on evolving programs and judges what they did.
//
// Terms: evolving programs are in package evolve, rules and trials in package rule, tools in package subject, campaigns and their results in package campaign. A checker joins
// them: it compiles the revisions of a program in a pool of warm JVMs, runs their tests once without and once with recording, lets every subject step through them, and
// judges the trial. What violates a rule is shrunk as long as the same subject violates the same rule.
//
// Guarantees: the baseline is a run without recording. A program that does not compile, has no tests, kills its JVM, or whose tests end differently on the same code is counted
// as such and never as compared. The same campaign gives the same entries, times aside.
//
// Not here: nothing is decided about tests, and nothing is printed.
package check
