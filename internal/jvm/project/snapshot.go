package project

import (
	"winnow/internal/digest"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/vfs"
)

// A snapshot tells what the entities of a scope are now.
type snapshot struct {
	scope      scope
	program    *table.Program
	files      *vfs.Files
	properties *properties
	tools      fingerprint
	// settled: it is asked whether something changed during the run, so what is never known has not.
	settled bool
}

var _ rts.Partial = (*snapshot)(nil)

// Concerns tells whether an entity is one of this scope, or one of all.
func (s *snapshot) Concerns(e rts.Entity) bool {
	if !scoped(e.Kind) {
		return true
	}
	_, ok := s.scope.local(e.Name)
	return ok
}

// Digest returns what an entity is.
func (s *snapshot) Digest(e rts.Entity) digest.Digest {
	switch {
	case e.Kind == rts.KindExternal || e.Kind == rts.KindOpaque:
		if s.settled {
			return outside
		}
		return digest.Unknown
	case s.files.Knows(e.Kind):
		return s.files.Digest(e)
	}
	local, ok := s.scope.local(e.Name)
	if !ok {
		return digest.Unknown
	}
	switch e.Kind {
	case Class:
		return s.program.Digest(local)
	case Resource:
		return s.program.Resource(local)
	case Manifest:
		return s.program.Manifests()
	case rts.KindProperty:
		return s.properties.digest(local)
	case StateRead, StatePut:
		return noted
	case rts.KindTool:
		if d, ok := s.tools[local]; ok {
			return d
		}
		return digest.Absent
	}
	return digest.Unknown
}
