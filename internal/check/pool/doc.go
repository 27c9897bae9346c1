// Package pool compiles and runs many small programs in a few warm JVMs.
//
// Terms:
//
//   - A host is a JVM that answers requests one after the other: compile these sources, find call sequences for these classes, run these tests. The pool starts hosts
//     when they are needed and replaces those that died, hang or have answered many requests.
//   - A unit is one class loader with the classes of a program, so with static state of its own: it stands for the JVM that the real front end would use. What is loaded
//     in a unit sees the JDK, the class path of the pool and its own classes, nothing else.
//   - The state of a test is a text about the values that it returned: their classes, superclasses and fields of primitive type, of String and of enum type, inherited ones
//     included, and those of the program's objects that they lead to.
//   - A footprint is what a test, or a class initializer, or the unit outside of tests did: methods that were entered, and events, as the product's agent knows them.
//     With Job.Detail also edges of the control flow, receivers and reflective calls.
//
// Recording uses the product's instrumentation (package jvm/instrument) for the program and the product's agent for hooks into the JDK; windows of initializers are kept apart as
// the agent does. The agent's log is not used: it is one file for a process, made for classes that are known at its start.
//
// A test class is public with a public constructor without parameters; a test is a public method of it without parameters. It fails by throwing; if a state is expected,
// it passes if and only if it ends in that state, thrown exceptions included.
//
// Guarantees: a request that kills or stops a host is an error that wraps ErrDied, after a Run with all outcomes that were known, and does no harm to others. Programs do
// not see one another, unless they change what the JDK has once for a process (properties, locale): such programs need a pool with Recycle 1. A JVM in which threads of a program still run
// is replaced. Nothing of the program's
// output is kept.
//
// Not here: what is made of the footprints, JUnit, and how the tests of a real project run (packages jvm/project and jvm/maven).
package pool
