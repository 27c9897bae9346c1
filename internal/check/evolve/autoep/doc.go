// Package autoep makes evolving programs that compile and have tests: the AutoEP component of the paper that package evolve cites.
//
// Terms:
//
//   - A base is a program that compiles, with tests for it and what they did when they ran on it: the first revision.
//   - A case is an evolving program: the base twice, then the base as an operator changed it, with the tests of the base.
//   - Tests are random call sequences; what a test is to end in is the state in which it ended on the base. Tests that end in another state when they run a second time, in the opposite order,
//     are flaky and left out before they count.
//   - A funnel is how many programs were generated and how many compiled, by origin and operator: the paper's Table IV.
//
// Guarantee: the same configuration gives the same bases, tests and cases. A program that kills its JVM is counted as such and costs no other program anything.
//
// Not here: subjects, rules, and the judgement of cases.
package autoep
