// Package compare lets several techniques go through the same revisions of a project and says what each of them would have run.
//
// Terms:
//
//   - A Revision is all that one recorded execution of all tests showed: classes, traces, outcomes, durations. One serves every technique.
//   - Each technique keeps its own history: about a test that it left out it knows what the test did when it last selected it, and nothing newer.
//   - A miss is a test that fails, passed at the revision before, and is not selected.
//   - T_o are the tests that execute a method that differs from the revision before: by the paper on JcgEks, at the new revision; ours, also at the old one (package check/loss). The loss ratio LR is the part
//     of T_o that is not selected, for test classes; it has no value where T_o is empty. ALR is the mean of those that have.
//   - Analysis time is measured here. End-to-end time is modelled: what the build took without its tests, plus analysis, plus what the selected tests took when all ran.
//
// Guarantee: a technique is told about a revision only what it selected there.
//
// Not here: how revisions are built and run (package cli), and the product's own selection, which is made by the product while it runs; it comes in as one more column.
package compare
