// Package rule says what a correct selection tool never does, as values in a list.
//
// Terms:
//
//   - An evolving program is a sequence of revisions, each code plus tests. A subject is a tool that is run on every revision in order and keeps its
//     metadata between them. Retest-all, which runs every test, is the baseline and always one of them.
//   - A step is what one subject did at one revision: which tests it selected, which ran, how they ended. A subject that broke down there has a crash
//     instead; one that does not work there by its nature is not applicable. The three are never mixed: rules judge steps that were carried out.
//   - A history is all steps of one subject, a trial all histories on one evolving program.
//   - A violation is a place in a trial where a rule does not hold for a subject. A rule is certain if a violation is a bug for sure, otherwise likely.
//
// R1 to R7 are those of C. Zhu, O. Legunsen, A. Shi, M. Gligoric, "A framework for checking regression test selection tools", ICSE 2019, Table I. They count tests. Those
// whose id begins with I look at which tests, and at the state that a test leaves; L1 asks which tests executed a changed method.
//
// Guarantee: a rule looks at a trial only, changes nothing, and gives its violations in the order of the histories and revisions. A rule that needs something
// that a trial does not have (a second tool, a repeated revision) finds nothing there, and Applies says so.
//
// Not here: nothing is run, and nothing is known of Java.
package rule
