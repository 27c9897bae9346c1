package evolve

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxTries bounds how often a shrink asks whether a smaller program still fails.
const maxTries = 1500

// Shrink makes an evolving program smaller as long as it still fails. It drops revisions, tests, classes, members, resources and statements, in all revisions alike or in one, and makes what differs
// between two revisions the same. What does not parse is dropped as a whole file or kept as it is. The result fails, if the program did; the function is asked a bounded number of times.
func Shrink(e Evolving, stillFails func(Evolving) bool) Evolving {
	s := &shrinker{best: newDraft(&e), fails: stillFails, left: maxTries}
	for {
		before := s.kept
		for _, level := range levels {
			s.reduce(level)
		}
		if s.kept == before || s.left <= 0 {
			break
		}
	}
	if s.kept == 0 {
		return e
	}
	return s.best.evolving()
}

type shrinker struct {
	best  *draft
	fails func(Evolving) bool
	left  int // times that may still be asked
	kept  int // cuts that were good
}

// A cut makes a draft smaller. It tells whether anything changed.
type cut func(*draft) bool

// levels list the cuts of a draft, coarse ones first.
var levels = []func(*draft) []cut{
	revisionCuts,
	func(d *draft) []cut { return d.classCuts(d.tests()) },
	func(d *draft) []cut { return d.memberCuts(d.tests()) },
	func(d *draft) []cut { return d.classCuts(d.sources()) },
	func(d *draft) []cut { return d.memberCuts(d.sources()) },
	resourceCuts,
	func(d *draft) []cut { return d.sameCuts() },
	func(d *draft) []cut { return d.headerCuts() },
	func(d *draft) []cut { return d.statementCuts(d.tests()) },
	func(d *draft) []cut { return d.statementCuts(d.sources()) },
}

// reduce tries the cuts of a level, many at once before few.
func (s *shrinker) reduce(level func(*draft) []cut) {
	cuts := level(s.best)
	for size := len(cuts); size > 0; size /= 2 {
		for at := 0; at < len(cuts); {
			end := min(at+size, len(cuts))
			if s.try(cuts[at:end]) {
				cuts = slices.Delete(cuts, at, end)
			} else {
				at = end
			}
		}
	}
}

func (s *shrinker) try(cuts []cut) bool {
	if s.left <= 0 {
		return false
	}
	d := s.best.clone()
	changed := false
	for _, c := range cuts {
		changed = c(d) || changed
	}
	if !changed {
		return false
	}
	s.left--
	if !s.fails(d.evolving()) {
		return false
	}
	s.best = d
	s.kept++
	return true
}

// A draft is an evolving program in the making.
type draft struct {
	name      string
	seed      uint64
	revisions []*draftRevision
}

type draftRevision struct {
	src, test *part
	resources map[string]string
}

// A part is the code or the tests of a revision: a program, or the files if they do not parse.
type part struct {
	program *Program
	files   map[string]string
}

func newPart(files map[string]string) *part {
	p, err := ParseProgram(files)
	if err != nil {
		return &part{files: maps.Clone(files)}
	}
	return &part{program: p}
}

func (p *part) clone() *part {
	if p.program != nil {
		return &part{program: p.program.Clone()}
	}
	return &part{files: maps.Clone(p.files)}
}

func (p *part) sources() map[string]string {
	out := p.files
	if p.program != nil {
		out = p.program.Sources()
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func newDraft(e *Evolving) *draft {
	d := &draft{name: e.Name, seed: e.Seed}
	for i := range e.Revisions {
		r := &e.Revisions[i]
		d.revisions = append(d.revisions, &draftRevision{newPart(r.Sources), newPart(r.Tests), maps.Clone(r.Resources)})
	}
	return d
}

func (d *draft) clone() *draft {
	out := &draft{name: d.name, seed: d.seed}
	for _, r := range d.revisions {
		out.revisions = append(out.revisions, &draftRevision{r.src.clone(), r.test.clone(), maps.Clone(r.resources)})
	}
	return out
}

func (d *draft) evolving() Evolving {
	e := Evolving{Name: d.name, Seed: d.seed}
	for _, r := range d.revisions {
		e.Revisions = append(e.Revisions, Revision{r.src.sources(), r.test.sources(), maps.Clone(r.resources)})
	}
	return e
}

// A side picks the code or the tests of a revision.
type side func(*draftRevision) *part

func (d *draft) sources() side { return func(r *draftRevision) *part { return r.src } }
func (d *draft) tests() side   { return func(r *draftRevision) *part { return r.test } }

// everywhere makes, for each key that some revision has, a cut in all revisions, and behind these one in each single revision.
func (d *draft) everywhere(keys func(*draftRevision) []string, drop func(r *draftRevision, key string) bool) []cut {
	var all, single []cut
	seen := map[string]bool{}
	for i, r := range d.revisions {
		for _, key := range keys(r) {
			single = append(single, func(d *draft) bool { return i < len(d.revisions) && drop(d.revisions[i], key) })
			if seen[key] {
				continue
			}
			seen[key] = true
			all = append(all, func(d *draft) bool {
				changed := false
				for _, r := range d.revisions {
					changed = drop(r, key) || changed
				}
				return changed
			})
		}
	}
	return append(all, single...)
}

func revisionCuts(d *draft) []cut {
	out := make([]cut, len(d.revisions))
	for i := range out {
		out[i] = func(d *draft) bool {
			if len(d.revisions) < 2 || i >= len(d.revisions) {
				return false
			}
			d.revisions = slices.Delete(d.revisions, i, i+1)
			return true
		}
	}
	return out
}

func resourceCuts(d *draft) []cut {
	return d.everywhere(func(r *draftRevision) []string { return slices.Sorted(maps.Keys(r.resources)) }, func(r *draftRevision, path string) bool {
		_, ok := r.resources[path]
		delete(r.resources, path)
		return ok
	})
}

// classCuts drop top-level classes, or files that do not parse.
func (d *draft) classCuts(of side) []cut {
	return d.everywhere(func(r *draftRevision) []string {
		return slices.Sorted(maps.Keys(of(r).sources()))
	}, func(r *draftRevision, path string) bool {
		p := of(r)
		if p.program == nil {
			_, ok := p.files[path]
			delete(p.files, path)
			return ok
		}
		n := len(p.program.Classes)
		p.program.Classes = slices.DeleteFunc(p.program.Classes, func(c *Class) bool { return c.path() == path })
		return len(p.program.Classes) < n
	})
}

// paths names the classes of a program, nested ones included, and calls do for each.
func (p *part) each(do func(path string, c *Class)) {
	if p.program == nil {
		return
	}
	var visit func(path string, c *Class)
	visit = func(path string, c *Class) {
		do(path, c)
		for _, m := range c.Members {
			if m.Kind == ClassMember {
				visit(path+"$"+m.Class.Name, m.Class)
			}
		}
	}
	for _, c := range p.program.Classes {
		visit(c.Full(), c)
	}
}

// class finds a class by its path.
func (p *part) class(path string) (found *Class) {
	p.each(func(at string, c *Class) {
		if at == path {
			found = c
		}
	})
	return found
}

// keySign separates the path of a class from what is inside.
const keySign = "\x00"

func (d *draft) memberCuts(of side) []cut {
	return d.everywhere(func(r *draftRevision) (keys []string) {
		of(r).each(func(path string, c *Class) {
			for _, m := range c.Members {
				keys = append(keys, path+keySign+m.signature())
			}
		})
		return keys
	}, func(r *draftRevision, key string) bool {
		path, signature, _ := strings.Cut(key, keySign)
		c := of(r).class(path)
		if c == nil {
			return false
		}
		i := slices.IndexFunc(c.Members, func(m *Member) bool { return m.signature() == signature })
		if i < 0 {
			return false
		}
		if c.Members = slices.Delete(c.Members, i, i+1); len(c.Members) == 0 {
			c.Members = nil
		}
		return true
	})
}

// sameCuts make a class or a member what it is in the revision before.
func (d *draft) sameCuts() []cut {
	var out []cut
	for i := 1; i < len(d.revisions); i++ {
		d.revisions[i].src.each(func(path string, c *Class) {
			old := d.revisions[i-1].src.class(path)
			if old == nil {
				return
			}
			for _, m := range c.Members {
				k := slices.IndexFunc(old.Members, func(o *Member) bool { return o.signature() == m.signature() })
				if k >= 0 && m.text() != old.Members[k].text() {
					out = append(out, sameMember(i, path, m.signature()))
				}
			}
		})
	}
	return out
}

func sameMember(i int, path, signature string) cut {
	return func(d *draft) bool {
		if i >= len(d.revisions) {
			return false
		}
		c, old := d.revisions[i].src.class(path), d.revisions[i-1].src.class(path)
		if c == nil || old == nil {
			return false
		}
		is := func(m *Member) bool { return m.signature() == signature }
		to, from := slices.IndexFunc(c.Members, is), slices.IndexFunc(old.Members, is)
		if to < 0 || from < 0 || c.Members[to].text() == old.Members[from].text() {
			return false
		}
		c.Members[to] = old.Members[from].Clone()
		return true
	}
}

// text is a member as it is printed.
func (m *Member) text() string {
	w := &printer{}
	w.member(m)
	return w.b.String()
}

// headerCuts drop superclasses, interfaces, annotations, imports and first values.
func (d *draft) headerCuts() []cut {
	return d.everywhere(func(r *draftRevision) (keys []string) {
		for _, p := range []*part{r.src, r.test} {
			p.each(func(path string, c *Class) {
				for _, what := range []string{"extends", "implements", "annotations", "imports", "constants"} {
					keys = append(keys, path+keySign+what)
				}
				for _, m := range c.Members {
					keys = append(keys, path+keySign+"init "+m.signature())
				}
			})
		}
		return keys
	}, func(r *draftRevision, key string) bool {
		path, what, _ := strings.Cut(key, keySign)
		for _, p := range []*part{r.src, r.test} {
			if c := p.class(path); c != nil {
				return c.dropHeader(what)
			}
		}
		return false
	})
}

func (c *Class) dropHeader(what string) bool {
	drop := func(list *[]string) bool {
		had := len(*list) > 0
		*list = nil
		return had
	}
	switch what {
	case "extends":
		had := c.Extends != ""
		c.Extends = ""
		return had
	case "implements":
		return drop(&c.Implements)
	case "annotations":
		return drop(&c.Annotations)
	case "imports":
		return drop(&c.Imports)
	case "constants":
		if len(c.Constants) < 2 {
			return false
		}
		c.Constants = c.Constants[:len(c.Constants)-1]
		return true
	}
	for _, m := range c.Members {
		if what == "init "+m.signature() && m.Kind == FieldMember && m.Init != "" {
			m.Init = ""
			return true
		}
	}
	return false
}

// statementCuts drop statements by the text of their first tokens and their number, the last ones first: later ones use earlier ones.
func (d *draft) statementCuts(of side) []cut {
	return d.everywhere(func(r *draftRevision) (keys []string) {
		of(r).each(func(path string, c *Class) {
			for _, m := range c.Members {
				for i := len(m.Body) - 1; i >= 0; i-- {
					keys = append(keys, path+keySign+m.signature()+keySign+m.Body[i]+keySign+strconv.Itoa(i))
				}
			}
		})
		return keys
	}, func(r *draftRevision, key string) bool {
		parts := strings.Split(key, keySign)
		c := of(r).class(parts[0])
		if c == nil {
			return false
		}
		for _, m := range c.Members {
			if m.signature() == parts[1] {
				return m.dropStatement(parts[2])
			}
		}
		return false
	})
}

// dropStatement drops the last statement with a text. If it declares a variable, a text takes its place in the list that a test returns.
func (m *Member) dropStatement(text string) bool {
	at := -1
	for i, s := range m.Body {
		if s == text {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	m.Body = slices.Delete(m.Body, at, at+1)
	tokens := mustLex(text)
	equals := slices.IndexFunc(tokens, func(t token) bool { return t.text == "=" })
	if n := len(m.Body); equals > 1 && tokens[equals-1].kind == word && n > 0 && strings.HasPrefix(m.Body[n-1], "return new Object[]") {
		m.Body[n-1] = replaced(m.Body[n-1], tokens[equals-1:equals], `"dropped"`)
	}
	return true
}
