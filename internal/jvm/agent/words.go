package agent

import "fmt"

// word is the name of a value of an enumeration whose first value is 1.
func word(names []string, v uint8) string {
	if v >= 1 && int(v) <= len(names) {
		return names[v-1]
	}
	return fmt.Sprintf("unknown (%d)", v)
}

// A Framework is what reported a node.
type Framework uint8

// The frameworks.
const (
	JUnitPlatform Framework = iota + 1
	JUnit4
	JUnit3
	TestNG
)

// String is the name that reports use.
func (f Framework) String() string {
	return word([]string{"JUnit Platform", "JUnit 4", "JUnit 3", "TestNG"}, uint8(f))
}

// A Kind is a set of bits that say what a node is.
type Kind uint8

// The bits of a Kind.
const (
	IsContainer Kind = 1 << iota
	IsTest
	IsRoot // an engine of the JUnit Platform
)

// NodeFlags are bits that say how a node came to be.
type NodeFlags uint8

// The bits of NodeFlags.
const (
	Dynamic NodeFlags = 1 << iota // it was registered during the run
	Inner                         // a test ran it
)

// An Outcome is how a node ended.
type Outcome uint8

// The outcomes. Unfinished is never in a log: it stands for a missing end.
const (
	Unfinished Outcome = iota
	Passed
	Failed
	Aborted
	Skipped
)

// String is the name that reports use.
func (o Outcome) String() string {
	if o == Unfinished {
		return "unfinished"
	}
	return word([]string{"passed", "failed", "aborted", "skipped"}, uint8(o))
}

// A CoarseReason is why a class has no probes.
type CoarseReason uint8

// The reasons.
const (
	Unplanned CoarseReason = iota + 1 // the plan has no class of this name
	Different                         // its bytes are not those of the plan
	Damaged                           // its instrumented bytes could not be read
	Early                             // it was there before the agent
)

// String is the name that reports use.
func (r CoarseReason) String() string {
	return word([]string{"not in the plan", "bytes differ from the plan", "pack damaged", "loaded before the agent"}, uint8(r))
}

// An EventKind is what was asked for.
type EventKind uint8

// The kinds. A file that was read, written, asked for or listed need not exist.
const (
	FileRead EventKind = iota + 1
	FileWritten
	FileAsked // whether it exists, and what it is
	DirectoryListed
	PropertyRead
	PropertiesRead // all of them
	VariableRead
	// VariablesRead: of all variables, the names (VariableNames), the value of one that was met while going through all (VariableMet and its name), or more, and then the text is empty.
	VariablesRead
	ProcessStarted
	ResourceSought // or PackageManifests
	ClassSought    // on the class path, and not defined there
	NetworkUsed    // "connect HOST:PORT" or "bind HOST:PORT"; HOST is a number, in brackets if it has colons; of a socket in the file system, its path
	// ClassReflected: members, annotations, generic signatures or the like of a class were looked at, or a member was used by reflection. The text is the binary
	// name, with dots. All supertypes of the class have the event, too. Classes of the JDK have none.
	ClassReflected
	// ClassFound: a class of the program was asked for by its binary name, which is the text, or was loaded then. It need not have been found.
	ClassFound
	PropertyWritten // or removed
	DefaultSet      // of the whole process: the locale, the time zone
	// ClassParsed: a framework read a class file, or looked whether it is there, for the declarations in it. The text is a path, or the name of a resource.
	ClassParsed
	// LibraryLoaded: a library of native code was opened for a class that is not the JDK's, or should have been; the file is there. Noted since Java 17.
	LibraryLoaded
	// FileLinked: a symbolic link was made that leads to the path.
	FileLinked
	// JarRead: a program opened or asked for a jar, and not the JDK for a class loader or a URL. There is FileRead or FileAsked as well, unless the program got the jar from a URL.
	JarRead
	// FileAppended: something was written through a stream or channel, whenever that was opened.
	FileAppended
	// Received and Invoked are details; Footprint has them as Receivers and Reflective. The texts are the id of a method in the process and the binary name of a class, with a space
	// between, and two methods, with a line break between.
	Received
	Invoked
	// The last three are about a static field of the project, "class.field" with the internal name of the class; Trace.Watched and Footprint.Changed have them. The agent watches what the field leads to, from the
	// end of the initializer of its class on; it is something else at this boundary than at the one before; nothing that was said about the field counts.
	FieldWatched
	FieldChanged
	FieldUnwatched
)

// Texts of VariablesRead.
const (
	VariableNames = "names"
	VariableMet   = "value "
)

// PackageManifests is the text of a ResourceSought about what java.lang.Package tells of manifests, which its loader has read.
const PackageManifests = "manifests of packages"

// String is the name that reports use.
func (k EventKind) String() string {
	return word([]string{"file read", "file written", "file asked", "directory listed", "property", "all properties", "variable", "all variables", "process",
		"resource", "class", "network", "reflection", "class by name", "property written", "default set", "class parsed", "library", "file linked", "jar read", "file appended", "receiver", "reflective call", "field watched", "field changed", "field unwatched"}, uint8(k))
}

// A ProblemCode is what the agent could not do.
type ProblemCode uint8

// The problems.
const (
	NoHook        ProblemCode = iota + 1 // a class of the JDK is without its hooks
	FrameworkLost                        // a test framework could not be asked: nodes are missing
	Lost                                 // something could not be passed on: hits, windows or events are missing
	NoProbes                             // nothing is recorded
	NoEnd                                // the end of the process will not be noted
	NotExcluded                          // tests run although they are excluded, because leaving them out would not be safe here
)

// String is the name that reports use.
func (c ProblemCode) String() string {
	return word([]string{"no hook", "test framework not understood", "record incomplete", "no probes", "no end", "tests not excluded"}, uint8(c))
}
