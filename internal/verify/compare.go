package verify

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
)

// A comparison is a recorded table of a class beside the class as it is now.
type comparison struct {
	program *program
	scope   string
	old     *table.Table
	now     *class
	// verdict says why the two cannot be compared.
	verdict verdict
	// What differs. Same: nothing does. Methods has, for each method of the table that differs, how.
	same, link, reflect, frame, initializer bool
	methods                                 map[int]string
	declared                                []declaration
	renumbered                              []string // old numbers of what has another one now: its class, or class and method
}

// A declaration is a method that a class declares otherwise than it did.
type declaration struct {
	signature
	added bool
	now   *canon.Method // nil if it is gone
}

// compare compares a class of an entity as it was recorded with what it is now.
func (c *checker) compare(u rts.Use) *comparison {
	scope, file := splitName(u.Entity.Name)
	out := &comparison{scope: scope}
	if out.program, out.verdict = c.program(scope); out.verdict != holds {
		return out
	}
	now, err := out.program.find(file)
	switch {
	case err != nil:
		out.verdict = brokenBy(fmt.Sprintf("it cannot be read: %v", err))
	case u.Digest == digest.Absent:
		out.compareAbsent(file, now)
	default:
		out.find(c, u.Digest, file, now)
	}
	return out
}

// find finds the recorded table and the class that has its name now. That one is mostly where it was.
func (c *comparison) find(of *checker, d digest.Digest, file string, now *class) {
	var broken string
	if c.old, broken = of.table(d); broken != "" {
		c.verdict = brokenBy(broken)
		return
	}
	if c.old.File != file {
		c.verdict = brokenBy("the recorded table is about " + c.old.File)
		return
	}
	if now == nil || now.canonical != c.old.Name {
		var err error
		if now, err = c.program.renamed(file, c.old.Name); err != nil {
			c.verdict = brokenBy(fmt.Sprintf("it cannot be looked for: %v", err))
			return
		}
	}
	if now == nil {
		c.verdict = brokenBy("the class path does not have it any more")
		return
	}
	c.now = now
	c.parts()
}

// compareAbsent is about a class that was looked for in vain.
func (c *comparison) compareAbsent(file string, now *class) {
	hidden, err := c.program.hidden(file)
	switch {
	case err != nil:
		c.verdict = brokenBy(fmt.Sprintf("it cannot be looked for: %v", err))
	case now != nil || hidden:
		c.verdict = brokenBy("it was looked for in vain and is there now")
	default:
		c.same = true
	}
}

// table gets a recorded table. The store is not trusted to have kept the right bytes under the digest.
func (c *checker) table(d digest.Digest) (*table.Table, string) {
	if t, ok := c.tables[d]; ok {
		return t.table, t.broken
	}
	var t recorded
	body, ok, err := c.view.Body(d)
	switch {
	case err != nil:
		t.broken = fmt.Sprintf("its recorded table cannot be read: %v", err)
	case !ok:
		t.broken = "its recorded table is not in the store"
	case !digest.Of(body).Same(d):
		t.broken = "its recorded table is not the one that the record names"
	default:
		if t.table, err = table.Decode(body); err != nil {
			t.broken = fmt.Sprintf("its recorded table: %v", err)
		}
	}
	c.tables[d] = t
	return t.table, t.broken
}

type recorded struct {
	table  *table.Table
	broken string
}

// parts compares part by part.
func (c *comparison) parts() {
	old, now := c.old, c.now
	c.link, c.reflect = !old.Link.Same(now.link), !old.Reflect.Same(now.reflect)
	c.frame = c.reflect && (now.frame == nil || !old.Frame.Same(now.frame.Rest))
	c.methods = map[int]string{}
	if old.File != now.file {
		c.renumbered = append(c.renumbered, old.File)
	}
	names := map[signature]bool{}
	for i := range old.Methods {
		m := &old.Methods[i]
		s := signature{m.Name, m.Descriptor}
		if names[s] {
			c.verdict = openBy("it has a method twice: " + m.String())
		}
		names[s] = true
		c.method(i, s)
	}
	for s, m := range now.methods {
		if names[s] {
			continue
		}
		c.declared = append(c.declared, declaration{s, true, &m})
		c.initializer = c.initializer || s.name == initializer
	}
	if now.twice {
		c.verdict = openBy("it has a method twice")
	}
	slices.SortFunc(c.declared, func(a, b declaration) int { return strings.Compare(a.name+a.descriptor, b.name+b.descriptor) })
	c.same = !c.link && !c.reflect && len(c.methods) == 0 && len(c.declared) == 0 && len(c.renumbered) == 0 && c.verdict == holds
}

// The names of methods that the JVM itself calls.
const (
	initializer = "<clinit>"
	constructor = "<init>"
)

// method compares one method of the recorded table.
func (c *comparison) method(i int, s signature) {
	old := &c.old.Methods[i]
	now, ok := c.now.methods[s]
	switch {
	case !ok:
		c.methods[i] = "is gone"
		c.declared = append(c.declared, declaration{signature: s})
		return
	case old.Access != now.Access:
		c.methods[i] = "has other flags"
		c.declared = append(c.declared, declaration{signature: s, now: &now})
	case !old.Body.Same(now.Body):
		c.methods[i] = "has another body"
	case !old.Test.Same(c.now.test(&now)):
		c.methods[i] = "is declared otherwise, and is a test"
	}
	if old.FileName != now.FileName || old.FileDescriptor != now.FileDescriptor {
		c.renumbered = append(c.renumbered, c.old.File+"."+old.FileName)
	}
}

// check tells what speaks against a use: something that it covers differs.
func (c *comparison) check(u rts.Use) verdict {
	switch {
	case c.verdict != holds || c.same:
		return c.verdict
	case c.old.Opaque != "" || c.now.opaque != "":
		return brokenBy("it differs, and has parts of unknown meaning")
	case c.link:
		return brokenBy("what linking can notice of it differs")
	case c.initializer:
		return brokenBy("it has an initializer now")
	case u.Entries == nil:
		return brokenBy("it counts as a whole, and differs")
	}
	for _, e := range u.Entries {
		switch i := int(e) - int(table.FirstMethod); {
		case i >= len(c.old.Methods):
			return brokenBy(fmt.Sprintf("the record covers entry %d, which its table does not have", e))
		case e == table.Reflected && c.reflect:
			return brokenBy("what reflection can notice of it differs, and the test looked")
		case e == table.Framed && c.frame:
			return brokenBy("what a test framework sees of it besides its test methods differs")
		case i >= 0 && c.methods[i] != "":
			return brokenBy(fmt.Sprintf("method %s, which the test entered, %s", c.old.Methods[i].String(), c.methods[i]))
		}
	}
	return holds
}

// named finds a class of another place that may name something by its old number: digests see through numbers within one place only. Whether the bytes
// of the name occur in a class file is enough of an answer.
func (c *comparison) named() string {
	for _, old := range c.renumbered {
		class, method, _ := strings.Cut(old, ".")
		for _, name := range c.program.others(c.now.place, class, method) {
			return fmt.Sprintf("its number is another one, and %s may name it by the old one", name)
		}
	}
	return ""
}

// others lists a class outside a place whose file has both names in it.
func (p *program) others(place, class, method string) []string {
	key := place + "\x00" + class + "\x00" + method
	if found, ok := p.namers[key]; ok {
		return found
	}
	var found []string
	for _, name := range sortedKeys(p.classes) {
		c := p.classes[name]
		if c.place != place && bytes.Contains(c.data, []byte(class)) && bytes.Contains(c.data, []byte(method)) {
			found = append(found, name)
			break
		}
	}
	p.namers[key] = found
	return found
}
