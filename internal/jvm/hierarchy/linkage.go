package hierarchy

import "fmt"

// A Kind is the way in which linking or calling fails: the error that a JVM throws.
type Kind uint8

// The kinds.
const (
	None       Kind = iota // nothing failed
	Unreadable             // a class could not be read, so nothing is known; a JVM throws no such thing
	NoClassDefFound
	ClassCircularity
	ClassFormat
	IncompatibleClassChange
	IllegalAccess
	NoSuchField
	NoSuchMethod
	AbstractMethod
	Verify
)

var kindNames = [...]string{None: "none", Unreadable: "unreadable", NoClassDefFound: "NoClassDefFoundError", ClassCircularity: "ClassCircularityError",
	ClassFormat: "ClassFormatError", IncompatibleClassChange: "IncompatibleClassChangeError", IllegalAccess: "IllegalAccessError", NoSuchField: "NoSuchFieldError",
	NoSuchMethod: "NoSuchMethodError", AbstractMethod: "AbstractMethodError", Verify: "VerifyError"}

// String is the simple name of the error's Java class.
func (k Kind) String() string { return kindNames[k] }

// A Linkage says why something does not link. It is an answer, not a failure of the question: a JVM would throw this (S6.7).
type Linkage struct {
	Kind  Kind
	Class string // the class it is about
	Why   string
	Cause error // of Unreadable
}

// Error gives kind, class and reason.
func (l *Linkage) Error() string {
	if l.Cause != nil {
		return fmt.Sprintf("%s: %s: %v", l.Kind, l.Class, l.Cause)
	}
	return fmt.Sprintf("%s: %s: %s", l.Kind, l.Class, l.Why)
}

// Unwrap is the cause.
func (l *Linkage) Unwrap() error { return l.Cause }

// kind is the kind of an answer, None for none.
func (l *Linkage) kind() Kind {
	if l == nil {
		return None
	}
	return l.Kind
}

func fail(kind Kind, class, why string) *Linkage { return &Linkage{Kind: kind, Class: class, Why: why} }
