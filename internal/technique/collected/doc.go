// Package collected has what the techniques share that select test classes by the classes which were collected while they ran.
//
// Terms:
//
//   - A test class is selected as a whole: what it did is what its tests did, together.
//   - A use is a place in a body that makes a JVM look at a class: the instruction, the class that it names, and the member if it names one.
//   - A use is covered if the block it is in was run. If the edges of a body were not recorded, all its uses count as covered: more than there are.
//   - Above a class are the class itself and all its superclasses and superinterfaces. Classes of the JDK are left out: they do not change.
//   - A memory is what a selector keeps of a test class from its last run, made at the revision at which it ran.
//
// Guarantees: test classes of which one test is new, or failed when it last ran, are selected; the others as the technique's judge says about its own memory of them. Reasons do not depend on the order of
// maps.
//
// Not here: where classes are collected, and what counts as a change; that is what the techniques are about.
package collected
