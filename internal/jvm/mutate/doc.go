// Package mutate changes the behaviour of compiled classes in small ways, without a compiler.
//
// Terms:
//
//   - A mutant is one small change to one class. It has an operator, the place it changes, and words for what becomes of what; see Mutant.
//   - An operator is a kind of change; see Operators. Most change an instruction in place. Return and Throw replace a whole body. Override and
//     Remove take a method away, ConstantValue changes the value that a static field starts with.
//
// Guarantees:
//
//   - A class that a JVM verifies is verified after mutation: an instruction is replaced by one or more of the same length and the same effect on the
//     types of the stack, filled up with nop, so that no jump, frame or handler moves; a body that is replaced as a whole has no jumps and no frames.
//   - The mutants of a class differ from it and from each other in bytes, and package canon sees a difference between the class and each of them.
//   - The printed form of a mutant names it: parsed, and applied to the same class, it gives the same bytes. Applied to a class that does not have
//     at that place what the mutant changes, it is an error.
//   - The same class gives the same list, the same seed the same sample.
//   - Input that is no class file gives an error and no result.
//
// Not here: whether a mutant can be told from the original by running it. Some cannot, as in every kind of mutation testing: a constant may be used for
// nothing. A mutant may also loop for ever or ask for all memory: who runs it needs a limit of time. Nothing is inserted, so a change that needs
// more room than the instruction has is not on the list: an ldc, for instance, reaches the first 255 constants only. Annotations, generic
// signatures, flags and supertypes are not changed, and no member is added.
package mutate
