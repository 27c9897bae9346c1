// Package methods selects tests of JVM programs by the methods that they entered and the classes that they touched.
//
// A class is an entity; its body is the table of package jvm/table, and the entries of a use say what a test covered of it: that it touched the class, that
// it looked at it by reflection, which of its methods it entered. A test touches a class if a body that it entered names the class, or a subtype of it, or is in
// it. Classes and methods are matched by canonical names, so a lambda or anonymous class that got another number is the same one.
//
// Let O be the table that a test was recorded on and N the present table of the class with the same canonical name. The test is affected if
//
//   - S7.1 bodies: it entered a method whose body or flags differ in N, or that N does not have;
//   - S7.2 link: what linking can notice of the class differs, methods aside (supertypes, flags, version, fields with types and constants, nest,
//     permitted subclasses); or the class has an initializer now and had none;
//   - S7.3 reflection: it looked at the class by reflection, and what that shows differs, the list of methods included;
//   - S7.4 dispatch: a signature was added, removed or got other flags, so that a call of it on a class R that the test touched finds another method than before,
//     and the test entered the old one, or it cannot be known whether it did: it is a method of the JDK, native or abstract, or the call was an error;
//   - S7.5 undecided: the class is gone, has appeared, cannot be read or is opaque, or the recorded table is not to be had.
//
// Why these suffice. Claim: if none of them holds, a second run of the test takes the same steps as the recorded one. Take the first step that differs. It is an
// instruction of a body that was entered, and all steps before it were the same, so its operands are the same. The body is the same (S7.1), up to renaming of numbered
// things; so is the instruction. Cases:
//
//   - It computes, branches, or uses an array: nothing but its operands matters.
//   - It names a class (new, checkcast, instanceof, a constant, a handler): the class is touched, and so are its supertypes. Whether it links, and whether one is a
//     subtype of the other, follows from link parts (S7.2). Initialization runs the same initializer, whose body was entered and is the same (S7.1), or none still (S7.2).
//   - It uses a field: the fields of the class and of its supertypes are the same (S7.2), so the reference resolves to the same one, with the same
//     constant in it.
//   - It calls a method, directly, through a method handle or because the JVM does: the receiver's class R, or without a receiver the class named, is touched with all its supertypes. If
//     the call finds the method that it found before, that one was entered and is the same (S7.1), or has no code that could differ. If it finds another, the
//     declarations of the signature differ in a supertype of R: R is among the receivers that S7.4 looks at, and the old method was entered. Classes
//     that are made at run time inherit from a touched class, and hierarchy.Diff has a stand-in for those of abstract classes and interfaces.
//   - It throws an error because something did not link: see below.
//   - It asks the JDK about a class: S7.3.
//   - It asks the JDK about anything else: a use of its own, of another kind, which counts whenever it differs.
//
// What the recording has to do. A call or field use that did not link when the test ran leads to no method; if a later version has the member, S7.4 has no old
// target. The recording adds the entry Reflected to the class that was named and to its supertypes: table.Program.Unresolved finds those. Who
// reflects upon a class reflects upon its supertypes.
//
// The old world of a trace is the present one with the stale classes of the trace in their old form. It needs no more: a trace holds all supertypes of what it touched, and
// what is not stale is the same. If the link parts of a stale class differ the test is affected and the worlds are not asked; so in both worlds every class has
// the same supertypes, and only methods differ. Traces with the same changed declarations share the answer, whatever revisions they were recorded at:
// it is kept under the digests of the old tables.
//
// Not here: which classes a test touched, and what else it depended on, is the front end's word. Inlining by a compiler needs no rule, since the bodies into which it copied a
// constant differ.
//
// Citation: X. Ren, F. Shah, F. Tip, B. G. Ryder, O. Chesley, "Chianti: a tool for change impact analysis of Java programs", OOPSLA 2004: changed
// methods and changed lookups as atomic changes.
package methods
