// Package verify checks the proofs of a selection anew. It shares no code with what made them: not the engine, not a technique, not the front end.
//
// A proof says that a test need not run because a record of it holds. The check of a proof is in three parts:
//
//   - The record. The store has one of this test with this date and revision; it is complete and ended in a pass or a skip; and no record of the
//     test that ended otherwise holds as well.
//   - The uses. Everything that the record says the test used, itself or through footprints that it includes, is what it was: files, directories, variables, properties, tools
//     and resources by their digests; classes by what the test covered of them. A recorded table of a class says what its methods and other parts were. The class file is
//     read and digested now, matched by canonical name, and every covered part must have the digest that the table has.
//   - The differences. Where a class differs in parts that were not covered the proof must say so, and the checker looks for an argument of its own that the
//     difference does not matter to this test. The argument is coarser than a technique's; see calls.go.
//
// So a proof holds, or it is broken: something speaks against it, or it is open: nothing speaks against it, but the checker's argument does not reach. Open is not fine: it is reported like
// a broken one.
//
// Guarantee: a proof holds only if each of the three parts was found to be so, from the bytes of the store and of the files as they are now. What cannot be read is broken,
// what the checker does not know of is open.
//
// What is taken on trust: the store's word about what a test used (that is recording, and checked by other means); the class path, the properties and the tools as the
// last run left them in its settings, since only the build can tell them; and the packages that both sides read with: digest, store, vfs, classfile, canon, classpath, and the decoder of
// tables.
//
// Not here: nothing is selected, nothing is run, nothing is written.
package verify
