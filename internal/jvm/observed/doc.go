// Package observed is the vocabulary of the techniques that papers describe for the JVM: what a revision of a program is, and what its tests were seen to do there.
//
// Terms:
//
//   - A class is internal if the project has it, in any of its modules, tests included; every other class is external: libraries and the JDK. The papers' techniques never look
//     into external methods.
//   - A Program is the classes of one revision. A class's checksum is the digest of what it means without debug information, and with canonical names in place of the numbers that compilers
//     give (package canon); a method's is that of its body.
//   - A Trace is what one test did. What the initializers of the classes that it used did belongs to it, whichever test ran them.
//   - A Selector is a technique at work on a history: it says which tests run at a revision, is told what these did, and knows nothing about those that it left out but what they did when they last ran.
//
// What is guaranteed: nothing about selections; these techniques are as their papers have them, some of them unsafe. Traces are what package agent guarantees of footprints, with sorted lists in which everything is
// once.
//
// Not here: the product's own technique, which compares with what is stored (package technique/methods), and how programs are run.
package observed
