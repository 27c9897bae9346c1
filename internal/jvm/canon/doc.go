// Package canon says what a class file means, as digests that are equal when nothing a program can observe differs.
//
// A method has a body: its instructions with every constant resolved, branch targets as instruction numbers, and its exception table. A class has a
// shape: everything else, in named parts. A part is of one of two kinds. Link parts can matter to code that merely runs (version, flags, supertypes,
// permitted subclasses, nest host, members with their types, flags and constant values). Reflect parts can matter only to code that looks at
// classes with java.lang.Class, java.lang.reflect, serialization and the like (annotations, generic signatures, parameter names, order of members, …).
//
// Compilers number what has no name: lambda$m$0, access$100, Outer$1. Adding one renumbers the others. Here such things have canonical names that do not
// depend on the number (see names.go): a lambda or anonymous class that is added changes its own users only. The numbers themselves are
// observable by reflection and are kept in reflect parts.
//
// Guarantee: if two versions of a program have, under the same canonical names, the same bodies and link parts, they are the same program up to debug
// attributes and a one-to-one renaming of numbered things, and run alike unless they look at stack traces, reflect, or read class files as
// data. The attributes and what becomes of each are listed in attributes.go and in docs/safety.md; a class with an attribute on no list is opaque: every digest of it covers the
// whole file. A class that cannot be read is an error, never a digest.
//
// What canon does not see: names of numbered classes in strings outside their own top-level class, in resources, or put together at run time. Who looks
// up a class by its name must depend on the part "name" of what was found.
//
// canon compares nothing across class files but names: what a reference resolves to is the business of package hierarchy.
package canon
