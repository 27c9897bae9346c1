// Package table says what each class of a program is, as far as a test can depend on it, and keeps that from one look to the next.
//
// A table is the description of one class: supertypes, flags, fields, methods with the digests of their bodies, a digest of what linking can notice and
// one of what reflection can notice. Its encoding is what is stored with a record, so the table that a test ran on can be had back later. The entries of
// a table are what a test can have covered of the class: Touched, Reflected, and one for each method.
//
// The refs of a class are what the bodies of its methods name: classes, fields, methods. They are needed when a test is recorded, not when it is compared.
//
// A place is a directory or jar. A program is an ordered list of places with a JDK in front; which place defines a class is decided as package
// classpath does. A shelf is a file that keeps the tables and refs of one place: of a jar under the jar's content, of a directory under its path, group by group.
//
// Names. Things that compilers number have canonical names (package canon), given within one place. Where a class of one place names a numbered thing
// of another place, the name in the file stands in its digests. Such names are raw: Program.Raw lists them, and a thing whose number changed and that is
// named raw has not kept its name.
//
// Guarantee: what a program says of a class is what reading every file now would give, as far as package classpath recognises unchanged files. A class that cannot
// be read has an error and the digest Unknown; a place that cannot be listed is an error. A shelf that is damaged, or belongs to another content, is made anew.
//
// Not here: nothing is decided about tests, and resources are known by their contents alone. The bodies themselves are not kept.
package table
