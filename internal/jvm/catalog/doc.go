// Package catalog keeps the digests of the classes of a program from one look at it to the next.
//
// A catalog has the digests (package canon) of every class at one moment. A book has what the last catalog was computed from: for each group
// (a top-level class with all that is inside it) the content of its class files, and the other groups on whose names its digests depend.
//
// Guarantee: a catalog is what reading every class file would give; a class file that cannot be read, or that holds another class than its place
// says, has an error instead of digests. The work follows the change: class files are read only for groups of which a file was added, removed
// or changed, and for groups that depend on those.
//
// The package does not look for files and does not know whether one changed: that is the business of package classpath.
package catalog
