package minijvm

import (
	"fmt"
	"math/bits"
)

// A ClassID is the number of a class name in a [Names].
type ClassID uint8

// MaxClasses is the largest number of class names in one [Names], so that a set of classes is one word.
const MaxClasses = 64

// NoClass is the superclass of Object.
const NoClass ClassID = 255

// The class names that every [Names] has.
const (
	Object ClassID = iota
	NullPointer
	ClassCast
	OutOfMemory
	NoClassDefFoundError
	IncompatibleClassChangeError
	NoSuchFieldError
	NoSuchMethodError
	Start
	Test
	firstFree
)

// A MemberID is the number of the name of a field or a method in a [Names].
type MemberID uint16

// The member names that every [Names] has.
const (
	Clinit MemberID = iota
	Main
)

const maxMembers = 1 << 16

// Names numbers the names of classes and of members. Programs that are compared share one Names. Reading is safe for concurrent use, adding is not.
type Names struct {
	classes, members []string
	classIDs         map[string]ClassID
	memberIDs        map[string]MemberID
}

// NewNames returns the names that are always there.
func NewNames() *Names {
	n := &Names{classIDs: map[string]ClassID{}, memberIDs: map[string]MemberID{}}
	for _, c := range []string{"Object", "NullPointer", "ClassCast", "OutOfMemory", "NoClassDefFoundError", "IncompatibleClassChangeError",
		"NoSuchFieldError", "NoSuchMethodError", "Start", "Test"} {
		n.classIDs[c] = ClassID(len(n.classes))
		n.classes = append(n.classes, c)
	}
	for _, m := range []string{"clinit", "main"} {
		n.memberIDs[m] = MemberID(len(n.members))
		n.members = append(n.members, m)
	}
	return n
}

// AddClass returns the number of a class name, and numbers it if it is new.
func (n *Names) AddClass(name string) (ClassID, error) {
	if id, ok := n.classIDs[name]; ok {
		return id, nil
	}
	if len(n.classes) == MaxClasses {
		return 0, fmt.Errorf("class %s is one too many: a program has at most %d class names, of which %d are built in", name, MaxClasses, firstFree)
	}
	id := ClassID(len(n.classes))
	n.classes, n.classIDs[name] = append(n.classes, name), id
	return id, nil
}

// AddMember returns the number of a member name, and numbers it if it is new.
func (n *Names) AddMember(name string) (MemberID, error) {
	if id, ok := n.memberIDs[name]; ok {
		return id, nil
	}
	if len(n.members) == maxMembers {
		return 0, fmt.Errorf("member %s is one too many: a program has at most %d member names", name, maxMembers)
	}
	id := MemberID(len(n.members))
	n.members, n.memberIDs[name] = append(n.members, name), id
	return id, nil
}

// Classes returns how many class names there are; they are numbered from 0.
func (n *Names) Classes() int { return len(n.classes) }

// Class returns the name with the number c.
func (n *Names) Class(c ClassID) string {
	if int(c) < len(n.classes) {
		return n.classes[c]
	}
	return fmt.Sprintf("class#%d", c)
}

// Member returns the name with the number m.
func (n *Names) Member(m MemberID) string {
	if int(m) < len(n.members) {
		return n.members[m]
	}
	return fmt.Sprintf("member#%d", m)
}

// A Set is a set of classes of one [Names]. The zero value is empty.
type Set uint64

// SetOf returns the set with the given classes.
func SetOf(classes ...ClassID) Set {
	var s Set
	for _, c := range classes {
		s |= 1 << (c & 63)
	}
	return s
}

// Has tells whether c is in the set.
func (s Set) Has(c ClassID) bool { return c < MaxClasses && s>>c&1 != 0 }

// Len returns the number of classes in the set.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// First returns the class with the smallest number and the set without it. The set must not be empty.
func (s Set) First() (ClassID, Set) {
	return ClassID(bits.TrailingZeros64(uint64(s))), s & (s - 1)
}

// All returns the classes in order of their numbers.
func (s Set) All() []ClassID {
	var all []ClassID
	for s != 0 {
		var c ClassID
		c, s = s.First()
		all = append(all, c)
	}
	return all
}

// Text returns the names of the set's classes in order of their numbers: `{Object, C}`.
func (n *Names) Text(s Set) string {
	out := "{"
	for i, c := range s.All() {
		if i > 0 {
			out += ", "
		}
		out += n.Class(c)
	}
	return out + "}"
}
