package table

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classpath"
)

// Resource is the digest of what class loaders find under a name on the class path: the contents, in the order of the places. It is Absent if they find
// nothing, and Unknown if a content is. A directory counts as the list of names in it, in a jar as the whole jar. A directory without files is as good as none.
func (p *Program) Resource(name string) digest.Digest {
	return p.inPlaces(func(of *place) digest.Digest { return of.resource(p.shop, name) })
}

// inPlaces is the digest of what there is in the places, in their order: Absent if nothing is, and Unknown if one cannot be told.
func (p *Program) inPlaces(what func(*place) digest.Digest) digest.Digest {
	var b digest.Builder
	found := false
	for _, place := range p.places {
		switch d := what(place); d {
		case digest.Unknown:
			return digest.Unknown
		case digest.Absent:
		default:
			found = true
			b.Add(d[:])
		}
	}
	if !found {
		return digest.Absent
	}
	return b.Sum()
}

// Manifests is the digest of what packages of classes on the class path can tell of the manifests there, in the order of the places; Absent if that is nothing. Loaders of the JDK read only the manifests of jars. Another loader
// may read that of a directory, where builds write when they made it: of that only what a package can tell counts.
func (p *Program) Manifests() digest.Digest {
	return p.inPlaces(func(of *place) digest.Digest {
		d := of.resource(p.shop, classpath.Manifest)
		if !of.dir || d == digest.Absent {
			return d
		}
		text, err := os.ReadFile(filepath.Join(of.path, filepath.FromSlash(classpath.Manifest)))
		if err != nil {
			return digest.Unknown
		}
		told := classpath.PackageHeaders(text)
		if len(told) == 0 {
			return digest.Absent
		}
		return digest.Of(told)
	})
}

func (p *place) resource(s *shop, name string) digest.Digest {
	if p.dir {
		return fileOrListing(p.listing.Contents, name)
	}
	if p.load(s) != nil {
		return digest.Unknown
	}
	return p.shelf.resource(name, p.content)
}

// fileOrListing looks into a directory whose files are sorted by name.
func fileOrListing(files []classpath.Content, name string) digest.Digest {
	i, ok := slices.BinarySearchFunc(files, name, func(c classpath.Content, name string) int { return strings.Compare(c.Name, name) })
	if ok {
		return files[i].Digest
	}
	prefix := dirPrefix(name)
	i, _ = slices.BinarySearchFunc(files, prefix, func(c classpath.Content, prefix string) int { return strings.Compare(c.Name, prefix) })
	var b digest.Builder
	last, some := "", false
	for ; i < len(files) && strings.HasPrefix(files[i].Name, prefix); i++ {
		child, _, _ := strings.Cut(files[i].Name[len(prefix):], "/")
		if !some || child != last {
			b.AddString(child)
		}
		last, some = child, true
	}
	if !some {
		return digest.Absent
	}
	return b.Sum()
}

// dirPrefix is what the names of the files in a directory start with.
func dirPrefix(name string) string {
	name = strings.TrimSuffix(name, "/")
	if name == "" {
		return ""
	}
	return name + "/"
}

// resource looks into a jar, whose content is what its directories count as.
func (s *shelf) resource(name string, content digest.Digest) digest.Digest {
	i, ok := slices.BinarySearchFunc(s.resources, name, func(r resource, name string) int { return strings.Compare(r.name, name) })
	if ok {
		return s.resources[i].digest
	}
	if class, ok := strings.CutSuffix(name, ".class"); ok {
		if r := s.row(class); r != nil {
			return r.file
		}
	}
	prefix := dirPrefix(name)
	i, _ = slices.BinarySearchFunc(s.resources, prefix, func(r resource, name string) int { return strings.Compare(r.name, name) })
	if i < len(s.resources) && strings.HasPrefix(s.resources[i].name, prefix) || s.hasBelow(prefix) {
		return content
	}
	return digest.Absent
}

// groupOf finds the classes of the group of a class.
func (s *shelf) groupOf(class string) []row {
	i, ok := slices.BinarySearchFunc(s.groups, canon.Group(class), func(g group, name string) int { return strings.Compare(g.name, name) })
	if !ok {
		return nil
	}
	return s.groups[i].rows
}

// row finds a class.
func (s *shelf) row(class string) *row {
	rows := s.groupOf(class)
	j, ok := slices.BinarySearchFunc(rows, class, func(r row, name string) int { return strings.Compare(r.name, name) })
	if !ok {
		return nil
	}
	return &rows[j]
}

// hasBelow tells whether there are classes in a directory or below it.
func (s *shelf) hasBelow(prefix string) bool {
	i, _ := slices.BinarySearchFunc(s.groups, prefix, func(g group, prefix string) int { return cmp.Compare(g.name, prefix) })
	return i < len(s.groups) && strings.HasPrefix(s.groups[i].name, prefix)
}
