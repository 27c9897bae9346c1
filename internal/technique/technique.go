// Package technique says what a selection technique is.
//
// A technique is an instance of SafeSpace: it chooses semantic words, an order, an equivalence machine, a form of traces, and
// states the assumptions under which it is safe. One technique is one package below this one with one citation. What it
// knows of a program are footprints, digests and bodies; it knows no build and no database.
//
// The engine finds every footprint in which some use has another digest now. Without a technique all of these would be affected; a
// Judge may show that a difference does not matter. So a Judge can only make a selection smaller, and only with an argument.
package technique

import (
	"winnow/internal/digest"
	"winnow/internal/rts"
)

// A Technique describes itself. It is a documented value in an explicit list.
type Technique struct {
	Name  string
	Title string
	// Citation is the publication that the technique comes from.
	Citation string
	// Words, Order, Traces and Equivalence are the choices that make it an instance of SafeSpace.
	Words, Order, Traces, Equivalence string
	Bias                              rts.Bias
	// ShownOn names the languages on which the technique runs.
	ShownOn string
}

// A Stale is a use whose entity is not what it was.
type Stale struct {
	Use rts.Use
	// Now is the entity's present digest: Absent if it is gone, Unknown if it cannot be read.
	Now digest.Digest
	// Through is the label of the shared footprint that holds the use, "" for the test's own.
	Through string
}

// Code returns the reason code for the difference.
func (s Stale) Code() rts.Code {
	switch {
	case s.Use.Entity.Kind == rts.KindExternal:
		return rts.External
	case s.Use.Entity.Kind == rts.KindOpaque:
		return rts.Opaque
	case s.Now == digest.Unknown:
		return rts.InputUnreadable
	case s.Use.Entity.Kind == rts.KindTest:
		return rts.TestChanged
	case s.Use.Entity.Kind == rts.KindTool:
		return rts.ToolchainChanged
	case s.Use.Entity.Kind == rts.KindEnv, s.Use.Entity.Kind == rts.KindProperty:
		return rts.EnvChanged
	case s.Now == digest.Absent:
		return rts.InputRemoved
	case s.Use.Digest == digest.Absent:
		return rts.InputAppeared
	}
	return rts.InputChanged
}

// Reason returns the plain reason for the difference.
func (s Stale) Reason() rts.Reason {
	r := rts.Reason{Code: s.Code(), Entity: s.Use.Entity}
	if s.Through != "" {
		r.Path = []string{s.Through, s.Use.Entity.Name}
	}
	return r
}

// A Trace is what a judge is asked about: a footprint with everything it includes.
type Trace struct {
	// Stale are the uses that differ, at least one.
	Stale []Stale
	// All returns every use of the trace, sorted.
	All func() ([]rts.Use, error)
	// Of returns those of All that are uses of an entity.
	Of func(rts.Entity) ([]rts.Use, error)
}

// A Judge decides about traces in which something differs. It may keep what it finds out for later traces.
type Judge interface {
	// Judge returns why a test with this trace is affected, or no reasons and, for each difference, why it does not matter.
	// An error selects the test.
	Judge(Trace) (reasons []rts.Reason, harmless []rts.Difference, err error)
}

// Bodies gives back the bodies that were recorded.
type Bodies interface {
	// Body returns the body with the given digest and whether it is known.
	Body(d digest.Digest) ([]byte, bool, error)
}
