// Package audit holds selections against what all tests do: it finds the tests that a selection would have left out and should not have.
//
// Terms:
//
//   - A trial is a state of a program for which a selection was made first, after which all tests ran, the ones left out too.
//   - A test is missed by a selection that leaves it out if it then ends otherwise than the record that is its proof.
//   - A mutant is a small change to the program, here nothing but a name. A test that fails on it and not without it kills it.
//   - A case is a miss written down so that it can be repeated.
//
// Guarantees:
//
//   - Every test that is left out is compared, or counted as not compared: after a run that did not come to its end nothing is said of tests that
//     were not heard of.
//   - A miss on a mutant is confirmed before it is called one: by a second run with the mutant and one without it. A test that does not agree with itself
//     is reported as unstable. In a replay of revisions nothing is confirmed.
//   - A mutant is counted in exactly one way; see Status.
//   - What was found stands when the audit is interrupted.
//
// The package knows no language and no build tool: a Subject tries mutants, a Replayed goes to revisions. It does not prove that nothing is missed: it looks
// at the changes that it is given.
package audit
