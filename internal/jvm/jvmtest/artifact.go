package jvmtest

import (
	"slices"
	"strings"
)

// An Artifact is a jar of a public Maven repository.
type Artifact struct {
	Name               string // what Jar and Fetch call it
	Group, ID, Version string // Maven coordinates
	SHA256             string // of the jar, in hexadecimal
	Size               int64  // of the jar in bytes
	Why                string // what it adds to the list
}

// Coordinates returns "group:id:version".
func (a Artifact) Coordinates() string { return a.Group + ":" + a.ID + ":" + a.Version }

// File returns the name of the jar, "id-version.jar". It is unique in All.
func (a Artifact) File() string { return a.ID + "-" + a.Version + ".jar" }

// Path returns the place of the jar in a Maven repository, with slashes.
func (a Artifact) Path() string {
	return strings.ReplaceAll(a.Group, ".", "/") + "/" + a.ID + "/" + a.Version + "/" + a.File()
}

// All returns the list, by name.
func All() []Artifact { return slices.Clone(artifacts) }

func find(name string) (Artifact, bool) {
	i := slices.IndexFunc(artifacts, func(a Artifact) bool { return a.Name == name })
	if i < 0 {
		return Artifact{}, false
	}
	return artifacts[i], true
}

func names() []string {
	var all []string
	for _, a := range artifacts {
		all = append(all, a.Name)
	}
	return all
}
