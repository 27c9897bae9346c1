// Package evolve makes evolving programs: small Java programs, their tests, and the changes from one revision to the next.
//
// Terms:
//
//   - An evolving program is a sequence of revisions. A revision is code, tests and resources, all as text by path.
//   - A program is the code of a revision as declarations: classes with members. What stands inside a body or an initializer is kept as a list of
//     statements, each a text whose white space is normal; nothing here understands expressions, a compiler does.
//   - A constraint (JD1 to JD10) says which programs of a bounded space are wanted. The space is finite, numbered, and walked without repetition in an order that
//     a seed gives; a few neighbours follow one another before the walk jumps.
//   - A feature is a part of Java that the bounded space does not have. Programs with it are those of the space together with classes that use the feature.
//   - An operator (E1 to E9 of the paper; M1 and up for the features) changes a program at every place where it applies.
//   - A test is a sequence of calls. Its source returns all values that the calls gave; who runs it captures their state.
//
// Guarantees: what is printed parses to the same program, and what parses prints to a text that parses to the same. The same seed gives the same programs, variants and
// names, on every machine. Shrinking ends, and its result still fails.
//
// Not here: nothing is compiled or run (package pool does that), so variants that no compiler accepts are among the results. The parser is for the declarations of
// ordinary Java sources; it refuses modules and Unicode escapes, and what it cannot read is an error with its place.
//
// Citation: C. Zhu, O. Legunsen, A. Shi, M. Gligoric, "A framework for checking regression test selection tools", ICSE 2019 (AutoEP, Tables II to IV).
package evolve
