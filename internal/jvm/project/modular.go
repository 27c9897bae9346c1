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
func (f fingerprint) addModules(r *maven.Request) error {
	if r.Text("useModulePath") == "false" || !slices.ContainsFunc(r.ClassPath, described) {
		return nil
	}
	var all digest.Builder
	for _, place := range r.ClassPath {
		part, err := modulePart(place)
		if errors.Is(err, classpath.ErrNotArchive) {
			continue
		}
		if err != nil {
			return err
		}
		all.Add(part[:])
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

// modulePart is what a place adds to the modules. Of what it holds only that is read which counts.
func modulePart(place string) (part digest.Digest, err error) {
	info, err := os.Stat(place)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return digest.Absent, nil
	}
	if err != nil {
		return digest.Unknown, err
	}
	src, err := classpath.Open(place)
	if err != nil {
		return digest.Unknown, err
	}
	defer func() {
		if e := src.Close(); err == nil && e != nil {
			part, err = digest.Unknown, e
		}
	}()
	entries, err := src.Entries()
	if err != nil {
		return digest.Unknown, err
	}
	var b digest.Builder
	jar := !info.IsDir()
	if jar {
		b.AddString(filepath.Base(place)) // a module can be named after it
	}
	var packages []string
	for _, e := range entries {
		dir := path.Dir(e.Name)
		switch {
		case path.Base(e.Name) == descriptor, jar && (e.Name == "META-INF/MANIFEST.MF" || dir == "META-INF/services"):
			data, err := src.Read(e)
			if err != nil {
				return digest.Unknown, err
			}
			b.AddString(e.Name).Add(data)
		case strings.HasPrefix(e.Name, "META-INF/"): // no package has such a name
		case dir != "." || strings.HasSuffix(e.Name, ".class"): // a class outside of any package keeps a module from being found
			packages = append(packages, dir)
		}
	}
	slices.Sort(packages)
	for _, p := range slices.Compact(packages) {
		b.AddString(p)
	}
	return b.Sum(), nil
}
