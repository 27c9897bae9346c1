package classpath

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const notFound = "ClassNotFoundException"

// archiveCases are about what is inside of a jar.
func archiveCases() []judged {
	jar := func(entries ...zipEntry) func(testing.TB, dirMaker) {
		return func(_ testing.TB, d dirMaker) { d.jar("x.jar", entries...); d.jar("y.jar", class("a/B", 99)) }
	}
	zip := func(z zipFile) func(testing.TB, dirMaker) {
		return func(_ testing.TB, d dirMaker) { d.zip("x.jar", z); d.jar("y.jar", class("a/B", 99)) }
	}
	named := func(name string, v int) zipEntry { e := class("a/B", v); e.name = name; return e }
	with := func(e zipEntry, change func(*zipEntry)) zipEntry { change(&e); return e }
	const xy = "x.jar y.jar"
	two := []zipEntry{class("a/A", 7), class("a/B", 1)}
	return []judged{
		{name: "plain", make: jar(class("a/B", 1)), path: xy, want: "1"},
		{name: "stored", make: jar(with(class("a/B", 1), func(e *zipEntry) { e.method = methodStored })), path: xy, want: "1"},
		{name: "second jar", make: jar(class("a/C", 1)), path: xy, want: "99"},
		{name: "nowhere", make: jar(class("a/C", 1)), path: "x.jar", want: notFound},
		{name: "case of names", make: jar(class("a/b", 1)), path: "x.jar", want: notFound},
		{name: "duplicate", make: jar(class("a/B", 1), class("a/B", 2)), path: xy, want: "2", problems: []ProblemKind{Duplicate}},
		{name: "three times", make: jar(class("a/B", 1), class("a/B", 2), class("c/D", 5), class("a/B", 3)), path: xy, want: "3", problems: []ProblemKind{Duplicate, Duplicate}},
		{name: "absolute", make: jar(named("/a/B.class", 1)), path: xy, want: "99", problems: []ProblemKind{BadName}},
		{name: "parent", make: jar(named("../a/B.class", 1)), path: xy, want: "99", problems: []ProblemKind{BadName}},
		{name: "parent inside", make: jar(named("x/../a/B.class", 1)), path: xy, want: "99", problems: []ProblemKind{BadName}},
		{name: "dot", make: jar(named("./a/B.class", 1)), path: xy, want: "99", problems: []ProblemKind{BadName}},
		{name: "empty part", make: jar(named("a//B.class", 1)), path: xy, want: "99", problems: []ProblemKind{BadName}},
		{name: "dots in name", make: jar(named("a.B.class", 1)), path: xy, want: "99", problems: []ProblemKind{OddName}},
		{name: "backslash is no separator", make: jar(named(`a\B.class`, 1)), path: xy, want: "99", problems: []ProblemKind{OddName}},
		{name: "backslash in class name", make: jar(class(`a\B`, 1)), path: xy, class: `a\B`, want: "1", problems: []ProblemKind{OddName}},
		{name: "control character", make: jar(class("a/B\x01", 1)), path: xy, class: "a/B\x01", want: "1", problems: []ProblemKind{OddName}},
		{name: "NUL behind name", make: jar(named("a/B.class\x00", 1)), path: xy, want: "99", problems: []ProblemKind{OddName}},
		{name: "empty name", make: jar(named("", 1)), path: xy, want: "99", problems: []ProblemKind{BadName}},
		{name: "upper case suffix", make: jar(named("a/B.CLASS", 1)), path: xy, want: "99"},
		{name: "directory named like the class", make: jar(text("a/B.class/", "")), path: xy, want: "ClassFormatError", ours: "-1", problems: []ProblemKind{DirectoryAsClass}},
		{name: "directory and class", make: jar(text("a/B.class/", ""), class("a/B", 1)), path: xy, want: "1"},
		{name: "class and directory", make: jar(class("a/B", 1), text("a/B.class/", "")), path: xy, want: "1"},
		{name: "class with data, named like a directory", make: jar(named("a/B.class/", 1)), path: xy, want: "1", problems: []ProblemKind{DirectoryAsClass}},
		{name: "program in front", make: zip(zipFile{prefix: "#!/bin/sh\nexec java -jar $0\n", entries: two}), path: xy, want: "1"},
		{name: "program in front, offsets adjusted", make: zip(zipFile{prefix: "#!/bin/sh\nexec java -jar $0\n", adjusted: true, entries: two}), path: xy, want: "1"},
		{name: "comment", make: zip(zipFile{comment: "hello", entries: two}), path: xy, want: "1"},
		{name: "comment with a false end record", make: zip(zipFile{comment: "PK\x05\x06" + string(make([]byte, 30)), entries: two}), path: xy, want: "1"},
		{name: "bytes behind the end", make: zip(zipFile{suffix: "\n\n\n", entries: two}), path: xy, want: "1"},
		{name: "end record that counts nothing", make: zip(zipFile{noEntries: true, entries: two}), path: xy, want: "1"},
		{name: "end record that points elsewhere", make: zip(zipFile{wrongEnd: true, entries: two}), path: xy, want: "99", ours: "error"},
		{name: "zip64", make: zip(zipFile{zip64: true, entries: two}), path: xy, want: "1"},
		{name: "zip64 entry", make: jar(class("a/A", 7), with(class("a/B", 1), func(e *zipEntry) { e.zip64 = true })), path: xy, want: "1"},
		{name: "data descriptor", make: jar(with(class("a/B", 1), func(e *zipEntry) { e.descriptor = true })), path: xy, want: "1"},
		{name: "encrypted neighbour", make: jar(class("a/B", 1), with(text("secret", "x"), func(e *zipEntry) { e.flags = 1 })), path: xy, want: "99", ours: "error"},
		{name: "neighbour with another method", make: jar(class("a/B", 1), with(text("secret", "x"), func(e *zipEntry) { e.method = 12 })), path: xy, want: "99", ours: "error"},
		{name: "wrong CRC-32", make: jar(with(class("a/B", 1), func(e *zipEntry) { e.crc = 5 })), path: xy, want: "1", ours: "error"},
		{name: "neighbour whose name is not UTF-8", make: jar(class("a/B", 1), text("caf\xe9", "x")), path: xy, want: "99", ours: "error"},
		{name: "umlaut", make: jar(class("a/Ü", 1)), path: xy, class: "a/Ü", want: "1"},
		{name: "empty archive", make: zip(zipFile{}), path: xy, want: "99"},
		{name: "empty file", make: func(_ testing.TB, d dirMaker) { d.write("x.jar", nil); d.jar("y.jar", class("a/B", 99)) }, path: xy, want: "99"},
		{name: "no jar", make: func(_ testing.TB, d dirMaker) {
			d.write("x.jar", []byte("this is a text that is long enough"))
			d.jar("y.jar", class("a/B", 99))
		}, path: xy, want: "99"},
		{name: "truncated", make: func(t testing.TB, d dirMaker) {
			b := zipFile{entries: two}.bytes(t)
			d.write("x.jar", b[:len(b)-30])
			d.jar("y.jar", class("a/B", 99))
		}, path: xy, want: "99"},
		{name: "truncated in front", make: func(t testing.TB, d dirMaker) {
			d.write("x.jar", zipFile{entries: two}.bytes(t)[20:])
			d.jar("y.jar", class("a/B", 99))
		}, path: xy, want: "99", ours: "error"},
		{name: "nested jar", make: func(t testing.TB, d dirMaker) {
			d.jar("x.jar", zipEntry{name: "lib/y.jar", data: zipFile{entries: two}.bytes(t)})
		}, path: "x.jar", want: notFound},
	}
}

// manifestCases are about multi-release jars and Class-Path.
func manifestCases() []judged {
	mr := func(header string, entries ...zipEntry) func(testing.TB, dirMaker) {
		return func(_ testing.TB, d dirMaker) { d.jar("x.jar", append([]zipEntry{manifestOf(header)}, entries...)...) }
	}
	raw := func(manifest string, entries ...zipEntry) func(testing.TB, dirMaker) {
		return func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", append([]zipEntry{text("META-INF/MANIFEST.MF", manifest)}, entries...)...)
		}
	}
	cp := func(elements string, more func(dirMaker)) func(testing.TB, dirMaker) {
		return func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", manifestOf("Class-Path: "+elements))
			d.jar("last.jar", class("a/B", 99))
			more(d)
		}
	}
	const yes = "Multi-Release: true"
	base, nine, eleven, far := class("a/B", 1), versioned(9, 9), versioned(11, 11), versioned(90, 90)
	const xl = "x.jar last.jar"
	return []judged{
		{name: "multi-release", make: mr(yes, base, nine, eleven, far), path: "x.jar", want: "11"},
		{name: "no multi-release", make: mr("X: y", base, nine, eleven, far), path: "x.jar", want: "1"},
		{name: "multi-release: false", make: mr("Multi-Release: false", base, nine), path: "x.jar", want: "1"},
		{name: "multi-release in capitals", make: mr("MULTI-RELEASE: TRUE", base, nine), path: "x.jar", want: "9"},
		{name: "multi-release without base", make: mr(yes, nine), path: "x.jar", want: "9"},
		{name: "multi-release with a blank behind", make: mr(yes+" ", base, nine), path: "x.jar", want: "1"},
		{name: "multi-release without a blank", make: mr("Multi-Release:true", base, nine), path: "x.jar", want: notFound, ours: "error"},
		{name: "multi-release on a continued line", make: mr("Multi-Release: tr\r\n ue", base, nine), path: "x.jar", want: "1"},
		{name: "multi-release followed by continuation", make: mr("Multi-Release: true\r\n x", base, nine), path: "x.jar", want: "1"},
		{name: "multi-release twice, last false", make: mr("Multi-Release: true\r\nMulti-Release: false", base, nine), path: "x.jar", want: "1"},
		{name: "multi-release twice, last true", make: mr("Multi-Release: false\r\nMulti-Release: true", base, nine), path: "x.jar", want: "9"},
		{name: "multi-release in another section", make: raw("Manifest-Version: 1.0\n\nName: a/\nMulti-Release: true\n\n", base, nine), path: "x.jar", want: "1"},
		{name: "multi-release first", make: raw("Multi-Release: true\nManifest-Version: 1.0\n\n", base, nine), path: "x.jar", want: "9"},
		{name: "multi-release without line end", make: raw("Manifest-Version: 1.0\nMulti-Release: true", base, nine), path: "x.jar", want: "1"},
		{name: "multi-release with one line end", make: raw("Manifest-Version: 1.0\nMulti-Release: true\n", base, nine), path: "x.jar", want: "9"},
		{name: "multi-release with carriage returns", make: raw("Manifest-Version: 1.0\rMulti-Release: true\r\r", base, nine), path: "x.jar", want: "9"},
		{name: "empty line first", make: raw("\nMulti-Release: true\n\n", base, nine), path: "x.jar", want: notFound, ours: "error"},
		{name: "malformed manifest", make: raw("Manifest-Version: 1.0\nnonsense\nMulti-Release: true\n\n", base, nine), path: "x.jar", want: notFound, ours: "error"},
		{name: "malformed manifest with Class-Path", make: raw("Manifest-Version: 1.0\nnonsense\nClass-Path: y.jar\n\n", base, nine), path: "x.jar", want: notFound, ours: "error"},
		{name: "manifest in small letters", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", text("meta-inf/manifest.mf", "Manifest-Version: 1.0\nMulti-Release: true\n\n"), base, nine)
		}, path: "x.jar", want: "9"},
		{name: "two manifests", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", text("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n\n"), text("meta-inf/manifest.mf", "Multi-Release: true\n\n"), base, nine)
		}, path: "x.jar", want: "9"},
		{name: "version 8", make: mr(yes, base, versioned(8, 8)), path: "x.jar", want: "8"},
		{name: "version 1", make: mr(yes, base, versioned(1, 2)), path: "x.jar", want: "1"},
		{name: "version 0", make: mr(yes, base, versioned(0, 2)), path: "x.jar", want: "1"},
		{name: "version -1", make: mr(yes, base, versioned(-1, 2)), path: "x.jar", want: "1"},
		{name: "version of many digits", make: func(_ testing.TB, d dirMaker) {
			e := class("a/B", 9)
			e.name = "META-INF/versions/4294967305/a/B.class"
			d.jar("x.jar", manifestOf(yes), base, e)
		}, path: "x.jar", want: "1"},
		{name: "directory in a version that has files", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", manifestOf(yes), base, text("META-INF/versions/9/a/B.class/", ""), text("META-INF/versions/9/a/C.class", "x"))
		}, path: "x.jar", want: "ClassFormatError", want25: "1", ours: "error", problems: []ProblemKind{DirectoryAsClass}},
		{name: "duplicate in a version", make: mr(yes, base, versioned(9, 8), nine), path: "x.jar", want: "9", problems: []ProblemKind{Duplicate}},
		{name: "malformed section", make: raw("Manifest-Version: 1.0\n\nnonsense\n\n", base), path: "x.jar", want: notFound, ours: "error"},
		{name: "section without name", make: raw("Manifest-Version: 1.0\n\nX: y\n\n", base), path: "x.jar", want: notFound, ours: "error"},
		{name: "several empty lines", make: raw("Manifest-Version: 1.0\n\n\n\nName: a/\nX: y\n\n", base), path: "x.jar", want: "1"},
		{name: "continuation first", make: raw(" x: y\nManifest-Version: 1.0\n\n", base), path: "x.jar", want: notFound, ours: "error"},
		{name: "continuation behind an empty line", make: raw("Manifest-Version: 1.0\n\n x: y\n\n", base), path: "x.jar", want: notFound, ours: "error"},
		{name: "header name with a blank", make: raw("Manifest-Version: 1.0\nA b: c\n\n", base), path: "x.jar", want: notFound, ours: "error"},
		{name: "header name with a dot", make: raw("Manifest-Version: 1.0\na.b: c\n\n", base), path: "x.jar", want: notFound, ours: "error"},
		{name: "header name of 71 letters", make: raw("Manifest-Version: 1.0\n"+strings.Repeat("a", 71)+": c\n\n", base), path: "x.jar", want: notFound, ours: "error"},
		{name: "header name of 70 letters", make: raw("Manifest-Version: 1.0\n"+strings.Repeat("a", 70)+": c\n\n", base), path: "x.jar", want: "1"},
		{name: "long line", make: raw("Manifest-Version: 1.0\nA: "+strings.Repeat("a", 1000)+"\nMulti-Release: true\n\n", base, nine), path: "x.jar", want: notFound, ours: "error"},
		{name: "line of 511 bytes", make: raw("Manifest-Version: 1.0\nA: "+strings.Repeat("a", 508)+"\nMulti-Release: true\n\n", base, nine), path: "x.jar", want: "9"},
		{name: "line of 512 bytes", make: raw("Manifest-Version: 1.0\nA: "+strings.Repeat("a", 509)+"\nMulti-Release: true\n\n", base, nine), path: "x.jar", want: notFound, ours: "error"},
		{name: "line of 511 bytes and two for its end", ours: "error", make: raw("Manifest-Version: 1.0\r\nA: "+strings.Repeat("a", 508)+"\r\nMulti-Release: true\r\n\r\n", base, nine), path: "x.jar", want: notFound},
		{name: "continuation of two without line end", make: raw("Manifest-Version: 1.0\nMulti-Release: true\n\nName: a\nX: y\n b\n c", base, nine), path: "x.jar", want: "9"},
		{name: "nonsense without line end", make: raw("Manifest-Version: 1.0\nnonsense", base), path: "x.jar", want: "1"},
		{name: "blank in front of the name in a section", make: raw("Manifest-Version: 1.0\n\nName: a\n b\nX: y\n\n", base), path: "x.jar", want: "1"},
		{name: "header without value", make: raw("Manifest-Version: 1.0\nEmpty: \nMulti-Release: true\n\n", base, nine), path: "x.jar", want: "9"},
		{name: "empty manifest", make: raw("", base), path: "x.jar", want: "1"},
		{name: "version with a zero in front", make: func(_ testing.TB, d dirMaker) {
			e := class("a/B", 9)
			e.name = "META-INF/versions/09/a/B.class"
			d.jar("x.jar", manifestOf(yes), base, e)
		}, path: "x.jar", want: "1"},
		{name: "versions in small letters", make: func(_ testing.TB, d dirMaker) {
			e := class("a/B", 9)
			e.name = "meta-inf/versions/9/a/B.class"
			d.jar("x.jar", manifestOf(yes), base, e)
		}, path: "x.jar", want: "1"},
		{name: "directory in a version", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", manifestOf(yes), base, text("META-INF/versions/9/a/B.class/", ""))
		}, path: "x.jar", want: "1", ours: "error", problems: []ProblemKind{DirectoryAsClass}},

		{name: "Class-Path", make: cp("y.jar", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path without line end", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", text("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nClass-Path: y.jar"))
			d.jar("y.jar", class("a/B", 1))
			d.jar("last.jar", class("a/B", 99))
		}, path: xl, want: "99"},
		{name: "Class-Path continued without line end", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", text("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nClass-Path: y\n .jar"))
			d.jar("y.jar", class("a/B", 1))
			d.jar("y", class("a/B", 2))
			d.jar("last.jar", class("a/B", 99))
		}, path: xl, want: "99"},
		{name: "Class-Path with own class, without line end", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", text("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nClass-Path: y.jar"), class("a/B", 1))
			d.jar("last.jar", class("a/B", 99))
		}, path: xl, want: "1"},
		{name: "Class-Path twice", make: cp("y.jar\r\nClass-Path: z.jar", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)); d.jar("z.jar", class("a/B", 2)) }), path: xl, want: "2"},
		{name: "Class-Path in another section", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", text("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n\nName: a\nClass-Path: y.jar\n\n"))
			d.jar("y.jar", class("a/B", 1))
			d.jar("last.jar", class("a/B", 99))
		}, path: xl, want: "99"},
		{name: "Class-Path on continued lines", make: cp("y\r\n .jar", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path with a tab", make: cp("no.jar\ty.jar", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path, host", make: cp("file://host/y.jar", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)) }), path: xl, want: "99", problems: []ProblemKind{NotFollowed}},
		{name: "Class-Path, bad escape", make: cp("y%zz.jar", func(d dirMaker) { d.jar("y%zz.jar", class("a/B", 1)) }), path: xl, want: "IllegalArgumentException", want25: "99", ours: "99", problems: []ProblemKind{NotFollowed}},
		{name: "Class-Path, query in name", make: cp("y.jar?q", func(d dirMaker) { d.jar("y.jar?q", class("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path, escaped question mark", make: cp("y.jar%3Fq", func(d dirMaker) { d.jar("y.jar?q", class("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path, escaped slash", make: cp("s%2Fy.jar", func(d dirMaker) { d.jar("s/y.jar", class("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path, backslash", make: cp("s\\y.jar", func(d dirMaker) { d.jar("s/y.jar", class("a/B", 1)) }), path: xl, want: "99"},
		{name: "Class-Path, no .jar", make: cp("y.zip z", func(d dirMaker) { d.jar("z", class("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path of a jar behind a directory", make: func(_ testing.TB, d dirMaker) {
			d.write("x/a/C.class", nil)
			d.jar("m.jar", manifestOf("Class-Path: y.jar"))
			d.jar("y.jar", class("a/B", 1))
			d.jar("last.jar", class("a/B", 99))
		}, path: "x m.jar last.jar", want: "1"},
		{name: "Class-Path, several", make: cp("no.jar z.jar  y.jar", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)); d.jar("z.jar", class("a/B", 2)) }), path: xl, want: "2"},
		{name: "Class-Path, depth first", make: cp("y.jar z.jar", func(d dirMaker) {
			d.jar("y.jar", manifestOf("Class-Path: w.jar"))
			d.jar("w.jar", class("a/B", 1))
			d.jar("z.jar", class("a/B", 2))
		}), path: xl, want: "1"},
		{name: "Class-Path, cycle", make: cp("y.jar", func(d dirMaker) { d.jar("y.jar", manifestOf("Class-Path: x.jar y.jar")) }), path: xl, want: "99"},
		{name: "Class-Path, earlier on the path", make: cp("last.jar", func(d dirMaker) { d.jar("m.jar", class("a/B", 2)) }), path: "x.jar m.jar last.jar", want: "99"},
		{name: "Class-Path, only missing", make: cp("no.jar", func(dirMaker) {}), path: xl, want: "99"},
		{name: "Class-Path, directory", make: cp("sub/", func(d dirMaker) { d.write("sub/a/B.class", markedClass("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path, directory without slash", make: cp("sub", func(d dirMaker) { d.write("sub/a/B.class", markedClass("a/B", 1)) }), path: xl, want: "99", problems: []ProblemKind{NotFollowed}},
		{name: "Class-Path, jar with slash", make: cp("y.jar/", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)) }), path: xl, want: "99", problems: []ProblemKind{NotFollowed}},
		{name: "Class-Path, parent", make: func(_ testing.TB, d dirMaker) {
			d.jar("lib/x.jar", manifestOf("Class-Path: ../y.jar"))
			d.jar("y.jar", class("a/B", 1))
		}, path: "lib/x.jar", want: "1"},
		{name: "Class-Path, escaped", make: cp("y%20z.jar", func(d dirMaker) { d.jar("y z.jar", class("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path, plus", make: cp("y+z.jar", func(d dirMaker) { d.jar("y+z.jar", class("a/B", 1)); d.jar("y z.jar", class("a/B", 2)) }), path: xl, want: "1"},
		{name: "Class-Path, colon", make: cp("y:z.jar", func(d dirMaker) { d.jar("y:z.jar", class("a/B", 1)) }), path: xl, want: "99", problems: []ProblemKind{NotFollowed}},
		{name: "Class-Path, http", make: cp("http://localhost:1/y.jar", func(dirMaker) {}), path: xl, want: "99", problems: []ProblemKind{NotFollowed}},
		{name: "Class-Path, query", make: cp("y.jar?q", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)) }), path: xl, want: "99"},
		{name: "Class-Path, fragment", make: cp("y.jar#f", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)) }), path: xl, want: "1"},
		{name: "Class-Path, absolute path", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", manifestOf(folded("Class-Path: "+filepath.ToSlash(d.root)+"/y.jar")))
			d.jar("y.jar", class("a/B", 1))
		}, path: "x.jar", want: "1"},
		{name: "Class-Path, file URL", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", manifestOf(folded("Class-Path: file:"+filepath.ToSlash(d.root)+"/y.jar")))
			d.jar("y.jar", class("a/B", 1))
		}, path: "x.jar", want: "1"},
		{name: "Class-Path, file URL with slashes", make: func(_ testing.TB, d dirMaker) {
			d.jar("x.jar", manifestOf(folded("Class-Path: file://"+filepath.ToSlash(d.root)+"/y.jar")))
			d.jar("y.jar", class("a/B", 1))
		}, path: "x.jar", want: "1"},
		{name: "Class-Path, relative file URL", make: cp("file:y.jar", func(d dirMaker) { d.jar("y.jar", class("a/B", 1)) }), path: xl, want: "1"},
	}
}

// folded breaks a header into lines as the format wants them.
func folded(header string) string {
	const width = 70
	out := ""
	for ; len(header) > width; header = header[width:] {
		out += header[:width] + "\r\n "
	}
	return out + header
}

// directoryCases are about directories.
func directoryCases() []judged {
	both := func(more func(dirMaker)) func(testing.TB, dirMaker) {
		return func(_ testing.TB, d dirMaker) {
			d.write("y/a/B.class", markedClass("a/B", 99))
			d.write("x/readme", nil)
			more(d)
		}
	}
	const xy = "x y"
	return []judged{
		{name: "directory", make: both(func(d dirMaker) { d.write("x/a/B.class", markedClass("a/B", 1)) }), path: xy, want: "1"},
		{name: "second directory", make: both(func(dirMaker) {}), path: xy, want: "99"},
		{name: "missing directory", make: both(func(dirMaker) {}), path: "no y", want: "99"},
		{name: "below a file", make: both(func(dirMaker) {}), path: "x/readme/z y", want: "99"},
		{name: "package is a file", make: both(func(d dirMaker) { d.write("x/a", nil) }), path: xy, want: "99"},
		{name: "jar behind directory", make: func(_ testing.TB, d dirMaker) {
			d.write("x/a/C.class", nil)
			d.jar("y.jar", class("a/B", 1))
		}, path: "x y.jar", want: "1"},
		{name: "link to a file", make: both(func(d dirMaker) { d.write("x/a/C", markedClass("a/B", 1)); d.link("C", "x/a/B.class") }), path: xy, want: "1"},
		{name: "link to a directory", make: both(func(d dirMaker) { d.write("z/B.class", markedClass("a/B", 1)); d.link("../z", "x/a") }), path: xy, want: "1"},
		{name: "dangling link", make: both(func(d dirMaker) { d.write("x/a/C", nil); d.link("none", "x/a/B.class") }), path: xy, want: "99", problems: []ProblemKind{Dangling}},
		{name: "links to each other", make: both(func(d dirMaker) {
			d.write("x/a/C", nil)
			d.link("D.class", "x/a/B.class")
			d.link("B.class", "x/a/D.class")
		}), path: xy, want: "99", problems: []ProblemKind{Dangling, Dangling}},
		{name: "link to the directory above", make: both(func(d dirMaker) { d.link("..", "x/up") }), path: xy, class: "a/B", want: "99", problems: []ProblemKind{Cycle}},
		{name: "cycle", make: both(func(d dirMaker) { d.write("x/a/B.class", markedClass("a/B", 1)); d.link(".", "x/a/again") }), path: xy, want: "1", problems: []ProblemKind{Cycle}},
		{name: "directory named like the class", make: both(func(d dirMaker) {
			if err := os.MkdirAll(filepath.Join(d.root, "x", "a", "B.class"), 0o755); err != nil {
				d.t.Fatal(err)
			}
		}), path: xy, want: notFound, ours: "error", problems: []ProblemKind{DirectoryAsClass}},
		{name: "multi-release does not count in directories", make: both(func(d dirMaker) {
			d.write("x/META-INF/MANIFEST.MF", []byte("Manifest-Version: 1.0\nMulti-Release: true\n\n"))
			d.write("x/a/B.class", markedClass("a/B", 1))
			d.write("x/META-INF/versions/9/a/B.class", markedClass("a/B", 9))
		}), path: xy, want: "1"},
		{name: "name too long for a file", make: func(_ testing.TB, d dirMaker) {
			d.write("x/readme", nil)
			d.jar("y.jar", class("a/"+strings.Repeat("L", 300), 1))
		}, path: "x y.jar", class: "a/" + strings.Repeat("L", 300), want: "1"},
		{name: "NUL in a name", make: func(_ testing.TB, d dirMaker) {
			d.write("x/readme", nil)
			d.jar("y.jar", class("a/B\x00C", 1))
		}, path: "x y.jar", class: "a/B\x00C", want: "ClassFormatError", ours: "1", problems: []ProblemKind{OddName}},
		{name: "odd name", make: both(func(d dirMaker) { d.write(`x/a\B.class`, markedClass(`a\B`, 1)) }), path: xy, class: `a\B`, want: "1", problems: []ProblemKind{OddName}},
	}
}
