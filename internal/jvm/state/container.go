package state

import (
	"slices"
	"strings"
)

// containers are types of libraries whose objects hold what is put there and do little else.
var containers = []string{
	"com/google/common/collect/", "com/google/common/cache/", "com/github/benmanes/caffeine/cache/", "org/apache/commons/collections/", "org/apache/commons/collections4/",
	"it/unimi/dsi/fastutil/", "org/eclipse/collections/", "com/carrotsearch/hppc/", "gnu/trove/", "scala/collection/mutable/",
	"com/fasterxml/jackson/databind/node/", "com/google/gson/JsonObject", "com/google/gson/JsonArray", "org/json/JSON",
}

// asksContainer are beginnings of the names of methods that change nothing in a container.
var asksContainer = []string{
	"get", "is", "has", "contains", "size", "count", "keys", "values", "entries", "entrySet", "asMap", "iterator", "spliterator", "stream", "forEach", "equals", "hashCode", "toString", "elementSet",
	"row", "column", "cellSet", "inverse", "stats", "estimatedSize", "path", "at", "find", "fieldNames", "elements", "deepCopy", "as", "to", "opt", "peek", "first", "last", "lookup", "span", "encloses", "complement", "length",
}

// inContainers makes a cell of what a container in a static field of the project holds: bodies that name the field read it, and those that also call a method of a container which may change it fill it, as with globals.
func (c *cells) inContainers(owner int32) {
	for _, f := range slices.Clone(c.all) {
		if !f.static || !c.types[f.owner].ours || !isContainer(fieldClass(f.descriptor)) {
			continue
		}
		at := &cell{label: f.label, static: true, descriptor: "Ljava/lang/Object;", owner: owner, kept: true}
		for _, n := range f.readers {
			c.global(at, n, true, slices.ContainsFunc(c.methods[n].body.Calls, Member.changesContainer))
		}
		c.keep(at)
	}
}

func isContainer(class string) bool {
	return slices.ContainsFunc(containers, func(prefix string) bool { return strings.HasPrefix(class, prefix) })
}

// changesContainer tells whether a call may change a container. One that is given a function to find what is missing does.
func (m Member) changesContainer() bool {
	if m.Static || !isContainer(m.Class) || m.Name == "<init>" {
		return false
	}
	given := strings.Contains(m.Descriptor, "Ljava/util/concurrent/Callable;") || strings.Contains(m.Descriptor, "Ljava/util/function/Function;")
	return given || !slices.ContainsFunc(asksContainer, func(prefix string) bool { return strings.HasPrefix(m.Name, prefix) })
}
