// Package jig makes the Java Interclass Graph of a program and compares two of them.
//
// Citation: M. J. Harrold et al., "Regression test selection for Java software", OOPSLA 2001, sections 3.2 and 3.3.
//
// Terms:
//
//   - A body is the part of the graph that stands for one internal method: an entry, an exit, an exceptional exit, and a node for each instruction except goto, which only leads on. A node's word is the instruction with
//     its constants resolved, and with what is known at the point of use: the globally qualified name of a class that is instantiated, the class that declares a field.
//   - A globally qualified name is a class with all its internal superclasses, their interfaces in alphabetical order, and the external types that these name.
//   - A call has a call node and a return node, joined by a path edge. Its call edges are those of a dispatch node, which all calls of the same reference share: one for each class that a receiver can have (class
//     hierarchy analysis), labelled with that class, to the entry of the method that is bound.
//   - An external method is an entry and an exit joined by a path edge.
//   - The external code node (ECN) has an edge for each internal class to its class entry; that has one for each external method that the class overrides, labelled with the signature, and the default edge "*" to a node that
//     stands for all methods still defined outside.
//   - A try node stands where the handlers that are in force change. Its edge "exception" leads to the first catch node; catch nodes are chained by edges "exception", and "caught" leads from each into its handler. The chain
//     ends in the exceptional exit, or in a handler that catches everything, which is how compilers write the copy of a finally block.
//   - The start node leads to the roots: the ECN, the initializer of every class, and methods that may be entered from outside.
//   - An edge of the old graph is dangerous if a test that takes it may act otherwise on the new program (package safespace, answer Default, solution DangerousEdges).
//
// Guarantee: under the paper's assumptions (no reflection on internal classes, external classes know none of the internal ones, deterministic tests) a test that takes no dangerous edge acts as before. Equal programs
// give equal graphs, and a graph that reuses the bodies of an earlier one is equal to one made from scratch.
//
// Where the words of the paper would miss a change, the graph has more than the paper's:
//
//   - Every internal class has a class entry, not only those that override something: else the first override that a class gets would be a new label that nothing is compared with.
//   - Every internal class has an initializer, if only one that does nothing, for the same reason.
//   - Leaving a try block is a node too: else an instruction that moves across its end would go unseen.
//
// The graph knows no values and no types of expressions; it does not look into external methods.
package jig
