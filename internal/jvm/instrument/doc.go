// Package instrument rewrites class files so that a running program leaves a record of the methods it enters.
//
// Terms:
//
//   - A probe is a store of 1 into a byte array at the entry of a method: getstatic, ldc_w, iconst_1, bastore; exactly 8 bytes.
//   - An id is the index that a probe stores to. The ids of one class are 0, 1, 2, …; Result.Rebase moves them to their place in one array for
//     the whole program, see there.
//   - The probe class has the array and the static methods that inserted code calls. It is not made here; an agent defines it in the boot loader,
//     where every class can see it.
//   - A window is the time in which a class initializer runs. A call at the entry of <clinit> opens it, a call before each return closes it. The
//     calls pass the id of <clinit>, so that the windows of different classes can nest.
//   - A hook is a call at the entry of a method that a table names, passing parameters of that method, or before each of its returns.
//   - An edge is one of the method's control flow; see package cfg. With Scheme.Edges each has a probe, too. Where that goes is said at point.
//   - The prologue of a method is all that is inserted at its entry, in this order: window, probe, receiver, hooks.
//
// Guarantees:
//
//   - Everything inserted is a multiple of 4 bytes long and leaves the operand stack and the locals as they were, so no jump and no switch has
//     to change its form; only arms of edges need frames, and these are copies of those there are. Every table of offsets (exceptions, frames, lines, variables, type annotations) is moved with the code. A class that a JVM
//     accepts is accepted after rewriting.
//   - Constants are only added at the end, so each index keeps its meaning. No member, attribute or flag is added, removed or changed: reflection
//     and serialVersionUID see the same class.
//   - A jump to the first instruction of a method does not run the prologue again; a jump to a return of <clinit> runs the closing call first.
//     A closing call is covered by exactly the exception handlers that cover its return.
//   - What cannot be recorded is named: each method with code is in Result.Probes or in Result.Unprobed; Result.Coarse and Result.Window say when
//     recording is coarser; a method without probes on its edges is in Result.Edgeless, one whose receivers are not passed in Result.Unreceived; hooks that found no method are in Result.Unmatched. A method without a probe must be taken to run whenever its class is used.
//   - Input that is no class file gives an error and no result.
//
// The same input and Scheme give the same output, byte for byte.
//
// Not here: exceptions that leave a method from other instructions than athrow, methods without code (native methods run unseen), and the classes that a
// JVM makes itself (hidden classes of lambdas; their bodies are ordinary methods and have probes). The package is not a verifier: what a JVM refuses, it still
// refuses after rewriting. The classes that a JVM loads before it can load the probe class must not be rewritten at all.
package instrument
