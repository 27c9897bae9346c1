// Package callgraph tells which methods of a program can call which, without running it.
//
// Terms:
//
//   - A node is a method: an internal one as its class declares it, an external one as calls name it, with the class that declares it.
//   - A site is what a body does that can make another method run: a call, a method handle (a lambda, a method reference, an argument of a bootstrap method), the making of an
//     instance, a use of a static field.
//   - The callees of a site are the method that its reference resolves to; for calls that choose by the receiver, what each internal class below would run; and the initializers that a
//     JVM may run there: of the class made or used, of its superclasses, and of those superinterfaces that have default methods (JVMS 5.5).
//   - Class hierarchy analysis (CHA) takes every internal class as a receiver: Build. Rapid type analysis (RTA) takes those that reached bodies make: Rapid. A class that is abstract, or an
//     interface, stands for the classes that are made of it at run time, as that of a lambda; RTA takes it as made where the result of a dynamic call site is of its type.
//   - A call-back is an internal method that overrides an external one, so that external code can call it.
//
// The guarantee: a call that a JVM does between internal methods has its edge in the graph of Build, but for calls by reflection and those that classes made at run time do. External code is a
// node without edges: what it calls are call-backs, which Callbacks lists. A call that would throw an error of linking has the edge that it would have without; a reference that means nothing is
// a node with the names of the reference. Update gives the same graph as Build, and does no more than what changed classes call for: a body is read again if the file of its class is another
// one, and a site is linked again if a declaration above, below or beside the class that it names is another one.
//
// Citations: J. Dean, D. Grove, C. Chambers, "Optimization of object-oriented programs using static class hierarchy analysis", ECOOP 1995; D. F. Bacon, P. F. Sweeney, "Fast static analysis of
// C++ virtual function calls", OOPSLA 1996.
//
// Not here: control flow within a body (package cfg), which values a variable can have, and what external methods do.
package callgraph
