// Package generate makes programs of the small JVM and changes of them: all within a bound, and random ones beyond it.
//
// The *bound* is a family of programs that is numbered without gaps: a class Test out of a list, and classes A, B and C out of lists of alternatives ([NewBound]). A
// *neighbour* of a program is the program with exactly one of A, B, C replaced by another alternative, which may be its absence. Pairs of a program and a neighbour
// are what an exhaustive check goes through.
//
// Random programs ([Source]) have more classes, members, calls, branches, handlers and loops; changes of them are one of the kinds in [Kinds], or several at once. Everything that
// leaves this package was accepted by the verifier in the strength asked for, and equal seeds give equal programs.
//
// What it is not: a uniform choice. Programs are biased towards class initialization, static members and exceptions, where collection functions can be wrong.
package generate
