// Package inspect shows people what class files hold and how two versions of them differ.
//
// An input is what a user names: a class file, a directory, a jar, a run-time image or the home of a JDK. A view is plain data about an input, ready for JSON
// and, by its Text method, for a terminal: Listing (what is in an input), Class, Method (normalized code) and Diff. The root of a class is the directory
// inside the input below which its entry stands where its name says: "" for most, "BOOT-INF/classes/" and the like for some. A fact is one
// readable statement about a piece of a class's shape; the parts of package canon are shown by the facts that differ.
//
// Guarantees: digests, and what is called same or different, come from package canon; this package adds words, never a verdict. Nothing of an input is left
// out in silence: what cannot be read is listed as unreadable with its place, and a class that cannot be read is never called the same as another. If parts differ and no
// fact explains it, the view says so. Views do not depend on time, place or map order. Text from class files is made harmless for a terminal.
//
// Not here: flags, exit codes and suggestions, which are the business of the command line; what a reference resolves to, which is that of package hierarchy. A single class
// file is seen with the files of its top-level class beside it; numbered classes of other top-level classes keep their names from the file.
package inspect
