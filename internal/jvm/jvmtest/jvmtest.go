// Package jvmtest gives tests what no test can do without when it judges code that reads and writes class files: real JDKs, real compilers
// and real class files that others compiled.
//
// A JDK is an installed development kit, named by its feature version (17, 25). An artifact is a jar that a public Maven repository serves, of
// the fixed list in All, pinned by its SHA-256. A runtime is what runs Java programs: a JDK or, for Java 11 and 21, one that PyPI serves, pinned likewise.
// Maven is a distribution of it, pinned likewise, or the one on the path.
// What this package hands out is exactly what the list says: the checksum is verified once per process for every artifact, wherever it was found.
//
// What a machine lacks skips a test with a reason that starts with "needs", or fails it if WINNOW_NO_SKIPS is set; see package testenv. A wrong
// checksum, a jar that the repository does not have and a compile error always fail.
//
// These variables change where it looks:
//
//	WINNOW_JDK_17, WINNOW_JDK_25  the home of that JDK; nothing else is looked at (of 11 and 21 likewise)
//	WINNOW_ARTIFACTS              the directory for downloads, instead of winnow/artifacts in the user's cache directory
//	WINNOW_MAVEN_REPO             the repository, instead of https://repo1.maven.org/maven2
//
// It is not a Maven client: it resolves no dependencies and no version ranges. The tool itself never imports it.
package jvmtest
