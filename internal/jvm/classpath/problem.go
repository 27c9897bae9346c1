package classpath

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A ProblemKind says what is strange.
type ProblemKind uint8

const (
	// BadName: no class loader asks for a class under this name, but a program could read it as a resource. The entry is left out.
	BadName ProblemKind = iota + 1
	// OddName: a class loader can reach the name, a file system or another tool may read it differently. The entry is kept.
	OddName
	// Duplicate: an earlier entry of the same name; the JVM takes the last. It is left out.
	Duplicate
	// DirectoryAsClass: a directory has the name of a class. The JVM takes it for the class: of a jar it reads what is stored for the
	// directory, usually nothing; of a directory it fails. The entry is kept, and below META-INF/versions, where JDKs differ, not readable.
	DirectoryAsClass
	// Dangling: a link to nothing. The JVM sees no file; it is left out.
	Dangling
	// Cycle: a link to a directory above itself, so that names have no end. It is not followed.
	Cycle
	// Special: neither file nor directory (a pipe, a socket, a device). It is left out.
	Special
	// NotFollowed: an element of a Class-Path attribute that is not the URL of a file.
	NotFollowed
)

var problemNames = map[ProblemKind]string{
	BadName: "unreachable name", OddName: "odd name", Duplicate: "duplicate", DirectoryAsClass: "directory named like a class",
	Dangling: "dangling link", Cycle: "cycle of links", Special: "special file", NotFollowed: "class path not followed",
}

// String returns the kind in words.
func (k ProblemKind) String() string {
	if s, ok := problemNames[k]; ok {
		return s
	}
	return fmt.Sprintf("problem %d", uint8(k))
}

// A Problem is something in a source that would be easy to overlook (S6.6). Printed form: `duplicate: "a/B.class": entry 3 of 7`.
type Problem struct {
	Kind ProblemKind
	// Name is the entry's name as the source has it, which may be anything.
	Name string
	// Detail says more, if there is more to say.
	Detail string
}

// String returns the printed form.
func (p Problem) String() string {
	if p.Detail == "" {
		return fmt.Sprintf("%s: %q", p.Kind, p.Name)
	}
	return fmt.Sprintf("%s: %q: %s", p.Kind, p.Name, p.Detail)
}

func sortProblems(ps []Problem) {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Detail, b.Detail))
	})
}
