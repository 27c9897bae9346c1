package instrument

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A Result is a rewritten class.
type Result struct {
	// Bytes is the class file; the input itself if nothing was inserted.
	Bytes []byte
	// Name is the internal name of the class.
	Name string
	// IDs is how many ids the class uses, and IDOffset where in Bytes the first of them stands: 4 bytes, big-endian, the next 5 bytes further on.
	IDs, IDOffset int
	Probes        []Probe // in the order of the methods in the file
	Unprobed      []Unprobed
	// Coarse: the constant pool has no room for an id per method, so all probes of the class share id 0. It says only that some method was entered.
	Coarse bool
	Window Window
	// WindowID is the id that the calls of the window pass, if there are any.
	WindowID  int
	Hooked    []Hooked
	Unmatched []Unmatched
	// Unmoved lists attributes of code with an unknown meaning. They were copied as they were; offsets in them, if any, are now wrong.
	Unmoved []Unmoved
	// Edges are the probes on edges, if the scheme wants them: of each method with a probe, all edges or none. Edgeless lists those with a probe at their entry only. The ids
	// of edges, the entries' aside, are higher than those of methods; some between may be unused.
	Edges    []EdgeProbe
	Edgeless []Unprobed
	// Unreceived lists methods with a probe whose receivers are not passed although the scheme wants that.
	Unreceived []Unprobed
}

// An EdgeProbe is an edge of a method's control flow with a probe. The edge into the method has that of its entry. All exceptional edges into a handler have one id, and all edges by
// which control comes back behind one jsr. The probe of an edge of kind cfg.Throw says that the athrow was reached; a handler that covers it may have caught.
type EdgeProbe struct {
	Name, Descriptor string
	Method           int // index of the method in the file
	ID               int
	Edge             int // index into Edges of the cfg.Graph of the original code
}

// A Probe is a method with a probe.
type Probe struct {
	Name, Descriptor string
	Method           int // index of the method in the file
	ID               int // counted from 0 in each class; add the base given to Rebase
}

// An Unprobed is a method with code but without a probe (S6.8).
type Unprobed struct {
	Name, Descriptor string
	Method           int
	Reason           Reason
	Detail           string // for Malformed: what is wrong
}

// A Hooked is a hook that was inserted.
type Hooked struct{ Hook, Method int } // indices into Scheme.Hooks and the methods in the file

// An Unmatched is a hook of this class that was not inserted anywhere.
type Unmatched struct {
	Hook   int // index into Scheme.Hooks
	Detail string
}

// An Unmoved is an attribute of a method's code that was copied as it was.
type Unmoved struct {
	Method    int
	Attribute string
}

// A Window says how far the class initializer is watched.
type Window uint8

// The windows.
const (
	NoWindow    Window = iota // there is no class initializer, or the scheme wants hooks only
	WholeWindow               // opened at entry, closed before each return; an initializer that only throws or loops has no return
	EntryWindow               // opened at entry only: there was no room for the rest, or a jump would become too wide
	LostWindow                // there is a class initializer, and nothing could be inserted
)

// String is the name that reports use.
func (w Window) String() string {
	return name([]string{"none", "whole", "entry", "lost"}, int(w))
}

// A Reason is why a method has no probe.
type Reason uint8

// The reasons.
const (
	TooLong   Reason = iota // its code would be longer than 65535 bytes
	Huge                    // its code would be longer than 8000 bytes, and was not: HotSpot compiles no method longer than that
	PoolFull                // the constant pool has no room
	Malformed               // its code or a table of it cannot be read
	TooWide                 // a jump would be wider than 32767 bytes; only edges are without a probe for that
	Unwanted                // the scheme wants none there
)

// String is the name that reports use.
func (r Reason) String() string {
	return name([]string{"too long", "huge", "constant pool full", "malformed", "too wide", "unwanted"}, int(r))
}

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("unknown (%d)", i)
}

// idStride is the distance of two ids: they are Integer constants in a row, a tag and 4 bytes each.
const idStride = 5

// Rebase makes the ids start at base, in place. It needs nothing but IDs and IDOffset, so an agent can do the same when it loads the class.
// This is why an id is always an Integer constant and never the operand of sipush, which ends at 32767 and would have to be found in each method.
// The price is 5 bytes a method: the classes of JDK 25 grow by 3.2 % instead of 2.4 %.
func (r *Result) Rebase(base int) error {
	if base < 0 || base > math.MaxInt32-r.IDs {
		return fmt.Errorf("rebase %s: %d ids from %d leave the range of int", r.Name, r.IDs, base)
	}
	for k := range r.IDs {
		binary.BigEndian.PutUint32(r.Bytes[r.IDOffset+k*idStride:], uint32(base+k))
	}
	return nil
}
