// Package cfg makes the control-flow graph of a method body.
//
// Terms:
//
//   - A block is a run of instructions that control enters at the first only and leaves normally at the last only, and that the same rows of the exception table cover.
//   - An edge leads from a block, or the entry, to a block or an exit. Its kind says how, its label tells it from others of the kind: the key of a switch, the
//     type that is caught.
//   - Exit is where a method returns to its caller, ThrowExit where athrow leaves it.
//   - A subroutine is what jsr calls and ret leaves, in class files before version 51.
//
// Guarantees:
//
//   - Every instruction is in exactly one block, also one that nothing reaches. Blocks are in the order of the code. Edges are in the order of their sources, the entry's first:
//     fall-through, taken, default, cases by key, the ends of subroutines in the order of the code, exits, handlers in the order of the exception table. Equal code gives an equal graph.
//   - Every transfer of control that the JVM can make inside the method has an edge, with the exceptions below. There may be edges that no run can take: a handler has an edge from
//     every block that a row of it covers, whatever the block can throw, and ret leads back behind each jsr whose subroutine can reach it.
//   - Of returns an error without a graph for code whose jumps, handlers or ends make no sense. Check looks at a graph again, with code of its own.
//
// No edges: an exception that leaves the method from an instruction other than athrow. An athrow has one to ThrowExit unless a row that catches everything covers it. Cases of a switch that lead where the
// default leads are the default.
//
// The package knows one method: no calls, no types, no data flow. It is no verifier.
package cfg
