// Package subject runs selection tools on evolving programs.
//
// Terms:
//
//   - A subject is a tool under check. It is begun on an evolving program and then steps through the revisions in order; between them it keeps what it wants to keep.
//   - A lab is one evolving program with what subjects share. A material is one revision as it is inside this process: compiled classes, how every test ended, and what each
//     one did. A workspace is one or more evolving programs as a Maven project.
//   - An in-process subject is a technique of Winnow on the product's engine, tables and judges, with a store of its own in memory. A test that it left out keeps the
//     records that it has. Which tests it runs is its own affair; what they do is taken from the material, because a test does the same whether or not others run.
//   - A Maven subject is a program that is started in the directory of a project: Winnow's command line, a published tool, any command.
//
// Guarantees: a step says what the subject did, or that it crashed, or why it is not applicable; an error is about this package's own work and never turns into one of these.
// Which tests a Maven subject executed is read from Surefire's reports, never from what the tool says.
//
// The footprints of in-process subjects follow the rules S8 of docs/safety.md, with code of this package: it checks engine, tables and judges as they are. That the real
// front end records the same is checked by the Maven subject.
//
// Not here: nothing is judged, and no programs are made.
package subject
