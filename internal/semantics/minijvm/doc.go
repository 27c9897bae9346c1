// Package minijvm is a small Java virtual machine that can be read in an hour: classes, static and instance members, dynamic class initialization,
// exceptions. It is the machine of Mansky and Gunter, "Safety of a Smart Classes-Used Regression Test Selection Algorithm" (ENTCS 351, 2020), which is
// JinjaDCI, made to run.
//
// A [Program] is a set of classes, at most [MaxClasses]. A [State] is an optional exception that nobody caught, a heap, a stack of frames and a static heap. [Step]
// takes one step; a state without frames is an end state. A program with a class Test is run by the class Start, whose main calls Test's main ([StartState]).
//
// A class is *above* C if it is C or a superclass of C. C *sees* a member in D if D is the first class from C upwards that declares a member of this name. A class
// *changed* between two programs if anything in it differs or it exists in one of them only.
//
// Guarantees: Step is a function of the program and the state; it never panics, on any program and any state, and says so when a state has no next state
// (*stuck*). A program that [Verify] accepts is never stuck. Print and parse are inverse.
//
// Where the source leaves a choice this package does as a real JVM does: `Getstatic C F D` uses the field that C sees, and D only says what the author expects.
// Verify in the strength [Paper] demands that D is right, so there the two readings are one.
//
// What it is not: a JVM. There are no interfaces, arrays, threads, reflection, strings, constructors, access rights or overloads; integers have 32 bits; an
// exception that leaves a static initializer is not wrapped. docs/proof.md lists what differs from a real JVM.
package minijvm
