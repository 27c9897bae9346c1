// Package statements checks, by running programs of the small JVM, what Mansky and Gunter prove about collecting few classes in the right places, and refutes what they
// refute.
//
// A *statement* is a claim about all well-formed programs, or about all pairs of a program and a changed program. Each is checked in two strengths of well-formedness.
// A pair *counts* for a statement if both programs are well-formed and the first ends; its *premise holds* if nothing that was collected changed. A run that does not
// end within the step limit is left out and counted as unfinished, never taken as equal.
//
//	1  naive, one step: nothing collected by the step changed ⇒ same next state, same collection                    6.1
//	2  naive and smart: nothing collected by the run changed ⇒ same final state, same collection                    6.2, 6.6
//	   the states of the collecting big step are those of the plain one                                             4.2
//	   a test that is deselected along a history of changes ends at its end as at its beginning                     5.2
//	   what a smart step promises to collect later is collected by the end                                          6.3
//	   what a smart step relies on was collected before it                                                          6.4 i
//	3  naive and smart collect the same                                                                             6.5
//	4  Ekstazi as it should be collects what smart collects, never later, and is safe                               6.3
//	5  Ekstazi as published is not safe: a counterexample is found and shrunk; a relative of Figure 1 is among them 3.2.1
//	7  every collection function that lacks a clause is refuted
//
// Statement 6, about a real JVM, is checked by package lower.
//
// What it is not: a proof. It says how many programs were tried, and how to try them again.
package statements
