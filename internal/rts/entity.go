package rts

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/internal/digest"
)

// A Kind says what sort of thing an entity is. Front ends add their own kinds; those that the core treats
// specially are named here.
type Kind string

const (
	// KindTest is the definition of a test itself.
	KindTest Kind = "test"
	// KindTool is one item of a run's fingerprint: a tool, its version or its configuration.
	KindTool Kind = "tool"
	// KindEnv is an environment variable.
	KindEnv Kind = "env"
	// KindProperty is a property that a runtime gives to a program when it starts.
	KindProperty Kind = "property"
	// KindFile is the content of a file, Absent if there is none.
	KindFile Kind = "file"
	// KindDir is the list of names in a directory.
	KindDir Kind = "dir"
	// KindPath is whether a path exists, and what it is.
	KindPath Kind = "path"
	// KindExistence is whether there is a file or a directory at a path, whatever its size.
	KindExistence Kind = "existence"
	// KindExternal is something outside that a test uses and nobody can look at: a program, an address. Nothing is known about it at any time.
	KindExternal Kind = "external"
	// KindOpaque is something that a test does and that cannot be tracked. Nothing is known about it at any time.
	KindOpaque Kind = "opaque"
)

// An Entity is a named part of a program, for example {cell, "Budget!B4"}. It prints as "cell Budget!B4".
type Entity struct {
	Kind Kind
	Name string
}

// String returns the kind and the name.
func (e Entity) String() string { return string(e.Kind) + " " + e.Name }

// Compare orders entities by kind, then by name.
func (e Entity) Compare(f Entity) int {
	if c := strings.Compare(string(e.Kind), string(f.Kind)); c != 0 {
		return c
	}
	return strings.Compare(e.Name, f.Name)
}

// ParseEntity reads what String wrote.
func ParseEntity(s string) (Entity, error) {
	kind, name, ok := strings.Cut(s, " ")
	if !ok || kind == "" || name == "" {
		return Entity{}, fmt.Errorf("entity %q: want a kind, a blank and a name", s)
	}
	return Entity{Kind(kind), name}, nil
}

// A Snapshot tells what the entities of a program are now. It is pure: asking twice gives the same answer.
type Snapshot interface {
	// Digest returns the digest of e: Absent if e does not exist, Unknown if that cannot be determined.
	Digest(e Entity) digest.Digest
}

// A Partial is a snapshot of a part of a project. Entities that it does not concern are not compared: no record of that part uses them.
type Partial interface {
	Snapshot
	Concerns(e Entity) bool
}

// A Use is an entity together with the digest it had when it was used.
type Use struct {
	Entity Entity
	Digest digest.Digest
	// Entries are the covered entries of the body with this digest, ascending. Nil means that the whole
	// entity counts; entries never narrow a use whose body is not known.
	Entries []uint32
}

// Compare orders uses by entity, then by digest.
func (u Use) Compare(v Use) int { return u.compare(&v) }

func (u *Use) compare(v *Use) int {
	if c := u.Entity.Compare(v.Entity); c != 0 {
		return c
	}
	return bytes.Compare(u.Digest[:], v.Digest[:])
}

// SortUses returns uses sorted and distinct. Of two uses of the same entity and digest the wider one counts: the whole
// entity if either is whole, else the entries of both. The argument is returned as it is if there is nothing to do, and
// is never modified.
func SortUses(uses []Use) []Use {
	if strictlySorted(uses) {
		return uses
	}
	order := make([]int32, len(uses)) // uses are large, numbers are not
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(uses[i].compare(&uses[j]), cmp.Compare(i, j))
	})
	out := make([]Use, 0, len(uses))
	for _, i := range order {
		if n := len(out); n > 0 && out[n-1].compare(&uses[i]) == 0 {
			out[n-1].Entries = widen(out[n-1].Entries, uses[i].Entries)
			continue
		}
		out = append(out, uses[i])
	}
	return out
}

// UsesOf returns the uses of an entity among sorted ones.
func UsesOf(uses []Use, e Entity) []Use {
	first, _ := slices.BinarySearchFunc(uses, e, func(u Use, e Entity) int { return u.Entity.Compare(e) })
	last := first
	for last < len(uses) && uses[last].Entity == e {
		last++
	}
	return uses[first:last]
}

func strictlySorted(uses []Use) bool {
	for i := 1; i < len(uses); i++ {
		if uses[i-1].compare(&uses[i]) >= 0 {
			return false
		}
	}
	return true
}

func widen(a, b []uint32) []uint32 {
	if a == nil || b == nil {
		return nil
	}
	both := append(slices.Clone(a), b...)
	slices.Sort(both)
	return slices.Compact(both)
}
