package project

import (
	"path/filepath"
	"strings"

	"winnow/internal/jvm/maven"
	"winnow/internal/rts"
)

// The kinds of entities that only programs for the JVM have. They are named in a scope, and so are system properties: their values when the JVM starts.
const (
	// Class is a class on the class path, by its name in the file.
	Class rts.Kind = "class"
	// Resource is what the class path has under a name, in all its places.
	Resource rts.Kind = "resource"
	// Manifest is what packages tell of the manifests on the class path.
	Manifest rts.Kind = "manifest"
)

// A scope is the part of a project that names are local to.
type scope string

// scopeOf returns the scope of an execution.
func scopeOf(r *maven.Request, root string) scope {
	rel, err := filepath.Rel(root, r.BaseDir)
	if err != nil || rel == "." {
		rel = ""
	}
	s := strings.ReplaceAll(filepath.ToSlash(rel), "!", "%21")
	if r.Mojo.Execution != "default-test" {
		s += "@" + strings.ReplaceAll(r.Mojo.Execution, "!", "%21")
	}
	return scope(s)
}

// name makes a local name one of the project.
func (s scope) name(local string) string {
	local = strings.ReplaceAll(local, "!", "%21")
	if s == "" {
		return local
	}
	return string(s) + "!" + local
}

// local returns the local name, and whether the name belongs to the scope.
func (s scope) local(name string) (string, bool) {
	of, local, scoped := strings.Cut(name, "!")
	if !scoped {
		of, local = "", name
	}
	if strings.IndexByte(local, '%') >= 0 { // rare, and every entity comes by here
		local = strings.ReplaceAll(local, "%21", "!")
	}
	return local, of == string(s)
}

func (s scope) entity(kind rts.Kind, local string) rts.Entity {
	return rts.Entity{Kind: kind, Name: s.name(local)}
}

// scoped tells whether entities of a kind are local to a scope.
func scoped(k rts.Kind) bool {
	return k == Class || k == Resource || k == Manifest || k == rts.KindProperty || k == rts.KindTool || k == StateRead || k == StatePut
}
