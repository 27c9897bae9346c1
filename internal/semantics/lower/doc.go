// Package lower writes programs of the small JVM out as class files, runs them on a real JVM under the product's agent, and compares: do they end as the semantics
// says, and does the product's record of a test hold every class that the smart collection function collects?
//
// Terms:
//
//   - A lowered program is a package p7 with a class file for each class of the program but Object and the system exceptions, and a class Start that is the test: its check()
//     calls Test.main. It has a class loader of its own.
//   - A prediction is what the semantics says: how the test ends, the static fields and flags at the end, the smart set.
//   - The test runs twice in its class loader, first and again; the second run finds classes initialized. Its smart set is what a fresh run of the same instructions would
//     collect: the classes of static accesses with their superclasses, and what the initialization of these collected whenever it was.
//   - The collection of a test is the set of classes in its record: package project makes it, from the agent's log, as for a Maven project.
//   - A disagreement is a run that does not end as predicted, or a class of the smart set that is not in the collection.
//   - A difference is a known one between the small JVM and a real one. [Differences] is the list. A run that meets one is set aside and counted.
//
// How things are lowered, so that the two can agree: every class extends Error in the end, because a JVM wraps every other exception that leaves a static
// initializer. Object is Throwable as a type; an instance of it is an instance of winnow.lab.Plain. NullPointer and ClassCast are classes of ours that extend Error, thrown by calls that
// come before the instruction ([Config.Bare] leaves them out); the other system exceptions are those of java.lang. A void method pushes 0. An exception table has a
// row for each instruction, because in java.lang some errors are subclasses of others. Instructions that no run reaches are left out.
//
// Guarantees: a program that cannot be lowered is refused with [ErrNotLowerable], never run in another form. A run that was not observed is an error, not an agreement.
//
// What it is not: a compiler, or a check of the product's instrumentation beyond what small programs do. No interfaces, threads or reflection.
package lower
