// Package classpath reads where classes come from: directories, jars and the run-time image of a JDK (lib/modules).
//
// A source is one such place; an entry is one file inside it. A path is an ordered list of sources in which, for each class
// name, one entry wins and the others of that name are shadowed by it. Which one wins is decided as HotSpot's application class loader
// does: class-path order, the Class-Path attribute of manifests, multi-release jars, the last one of several entries with one name, and
// packages of the run-time image, which no class path can add to. A problem is something in a source that a reader would not
// expect (a name that no class loader asks for, a duplicate, a dangling link). The stamp of a file is what stat tells about it; a Seen table remembers
// contents by stamp, so that an unchanged file is recognised without being opened.
//
// Guarantee: a listing is complete or an error. What is left out of the entries is in the problems; a place that does not exist is
// kept as absent, because its appearance is a change. No length or offset that a file declares is trusted: memory is bounded by the
// real size of the file and by Options, and a damaged source gives an error with its place.
//
// Not here: class files are not parsed, names and bytes are all that is known of them. Nothing is extracted to disk. Not supported:
// nested jars (they are entries like others), signed-jar verification, class-path wildcards, module paths, the order of -Xbootclasspath/a (whose
// jars HotSpot reads without regard to Multi-Release), incubator modules that are left out of the boot layer (they count as part of their
// image), the directories of a JDK built without an image, and resources of an image that were compressed by another plug-in than zip.
package classpath
