package xlsx

import (
	"net/url"
	"path"
	"strings"
)

// relationship is one entry of a .rels part.
type relationship struct {
	id       string
	kind     string // the last element of the type, the same in transitional and strict files
	target   string // the part meant, or as written if external
	external bool
}

// relationships of one part, in the order of the file.
type relationships struct {
	list []relationship
	byID map[string]relationship
}

// ofKind returns the relationships of a kind.
func (rs relationships) ofKind(kind string) []relationship {
	var out []relationship
	for _, r := range rs.list {
		if r.kind == kind {
			out = append(out, r)
		}
	}
	return out
}

// rels reads the relationships of a part; "" means those of the package. A
// part without relationships has no .rels part.
func (p *pack) rels(source string) (relationships, error) {
	rs := relationships{byID: map[string]relationship{}}
	dir, base := path.Split(source)
	part := dir + "_rels/" + base + ".rels"
	if !p.has(part) {
		return rs, nil
	}
	s, err := p.scan(part)
	if err != nil {
		return rs, err
	}
	err = s.document(spacePkgRels, "Relationships", func() error {
		if s.space != spacePkgRels || string(s.local) != "Relationship" {
			return s.damaged("unexpected element <%s>", s.name)
		}
		r, err := readRelationship(s, dir)
		if err != nil {
			return err
		}
		if _, twice := rs.byID[r.id]; twice {
			return s.damaged("two relationships with id %.40q", r.id)
		}
		if err := s.budget.addCells(relCost); err != nil {
			return err
		}
		rs.byID[r.id] = r
		rs.list = append(rs.list, r)
		return s.skip()
	})
	return rs, err
}

func readRelationship(s *scanner, dir string) (relationship, error) {
	var r relationship
	for _, a := range s.attrs {
		v, err := s.value(a)
		if err != nil {
			return r, err
		}
		switch string(a.name) {
		case "Id":
			r.id = v
		case "Type":
			r.kind = v[strings.LastIndexByte(v, '/')+1:]
		case "Target":
			r.target = v
		case "TargetMode":
			r.external = strings.EqualFold(v, "External")
		}
	}
	if !r.external {
		// A target that leads nowhere matters only if something follows
		// it; it is then reported as a missing part.
		r.target = resolveTarget(dir, r.target)
	}
	return r, nil
}

// resolveTarget returns the part that a target names: absolute, or relative to
// the directory of the part that refers to it.
func resolveTarget(dir, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if u, err := url.PathUnescape(target); err == nil {
		target = u
	}
	if !strings.HasPrefix(target, "/") {
		target = "/" + dir + target
	}
	return strings.TrimPrefix(path.Clean(target), "/")
}
