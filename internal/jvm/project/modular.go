package project

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"winnow/internal/digest"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/maven"
)

// modulesItem is the item that says what the modules of an execution on the module path are. The JVM looks at them before an agent can watch it.
const modulesItem = "modules"

const descriptor = "module-info.class"

// addModules adds to the fingerprint what decides how the JVM arranges modules, if the project has a descriptor: all descriptors, and of every place its name and packages, which can collide. Of jars
// without a descriptor, manifests and lists of services count as one. Surefire opens the packages of the tests that it finds, so the choice of tests is part of it.
func (f fingerprint) addModules(r *maven.Request, seen *classpath.Seen) error {
	if r.Text("useModulePath") == "false" || !slices.ContainsFunc(r.ClassPath, described) {
		return nil
	}
	if seen == nil {
		seen = new(classpath.Seen)
	}
	var all digest.Builder
	for _, place := range r.ClassPath {
		listing, err := seen.Scan(place)
		if errors.Is(err, classpath.ErrNotArchive) {
			continue
		}
		if err != nil {
			return err
		}
		info, err := os.Stat(place)
		jar := err == nil && !info.IsDir()
		d := modulePart(listing, jar)
		all.AddString(moduleName(place, jar)).Add(d[:])
	}
	choice := f[filterItem]
	f[modulesItem] = all.Add(choice[:]).Sum()
	return nil
}

// described tells whether a place is a directory with a descriptor. If that cannot be told, it counts as one.
func described(place string) bool {
	_, err := os.Stat(filepath.Join(place, descriptor))
	return err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// moduleName is the name of a place as far as a module can be named after it.
func moduleName(place string, jar bool) string {
	if jar {
		return filepath.Base(place)
	}
	return ""
}

// modulePart is what a place adds to the modules.
func modulePart(listing *classpath.Listing, jar bool) digest.Digest {
	var b digest.Builder
	var packages []string
	for _, c := range listing.Contents {
		dir := path.Dir(c.Name)
		switch {
		case path.Base(c.Name) == descriptor, jar && (c.Name == "META-INF/MANIFEST.MF" || dir == "META-INF/services"):
			b.AddString(c.Name).Add(c.Digest[:])
		case strings.HasPrefix(c.Name, "META-INF/"): // no package has such a name
		case dir != "." || strings.HasSuffix(c.Name, ".class"): // a class outside of any package keeps a module from being found
			packages = append(packages, dir)
		}
	}
	slices.Sort(packages)
	for _, p := range slices.Compact(packages) {
		b.AddString(p)
	}
	return b.Sum()
}
