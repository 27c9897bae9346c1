package state

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
)

// When only some tests run, the others are absent: what they would have left behind is not there. So each footprint has notes about the static fields of the
// project that it reads and about what it puts there, and they are kept with the tests. From the notes of absent tests it can be told what a test would have
// found had all run, and from those of absent readers who has to run because of something that is put there for the first time.

// A Put is a note that a footprint entered a method which changes what a static field of the project leads to, after the initialization of its class.
type Put struct {
	Field  string // "class.field"
	Method string // "class.name descriptor"
	// Again: it counts also for a test that enters the method itself, unless that has all callers.
	Again bool
	// Left: the agent saw that the field led to the same afterwards, so that nothing was handed over.
	Left bool
	// First: it happens before the first test, while tests are looked for, in every process, whichever tests are left out there.
	First bool
	// Within are classes: nobody sees the change who does not read fields of one of them. If there are none, everybody sees it who reads the field.
	Within []string
	// Callers are the methods of the footprint that can have called the method.
	Callers []string
}

// String is the put in one text; ParsePut reads it. Names of system properties may have tabs.
func (p Put) String() string {
	how := "once"
	if p.Again {
		how = "again"
	}
	if p.Left {
		how += left
	}
	if p.First {
		how += first
	}
	parts := append([]string{p.Field, p.Method, how, strings.Join(p.Within, ";")}, p.Callers...)
	for i := range parts {
		parts[i] = tabless.Replace(parts[i])
	}
	return strings.Join(parts, "\t")
}

// These follow how a change counts, in the text of a put that left all as it was, and of one before the first test.
const (
	left  = ", left"
	first = ", first"
)

// tabless writes a tab in another way, withTabs reads it.
var (
	tabless  = strings.NewReplacer(`\`, `\\`, "\t", `\t`)
	withTabs = strings.NewReplacer(`\\`, `\`, `\t`, "\t")
)

// ParsePut is the inverse of String.
func ParsePut(text string) (Put, error) {
	parts := strings.Split(text, "\t")
	if len(parts) < 4 {
		return Put{}, fmt.Errorf("%q is no note about state", text)
	}
	how, isFirst := strings.CutSuffix(parts[2], first)
	how, isLeft := strings.CutSuffix(how, left)
	if how != "once" && how != "again" {
		return Put{}, fmt.Errorf("%q is no note about state", text)
	}
	for i := range parts {
		parts[i] = withTabs.Replace(parts[i])
	}
	p := Put{Field: parts[0], Method: parts[1], Again: how == "again", Left: isLeft, First: isFirst, Callers: parts[4:]}
	if parts[3] != "" {
		p.Within = strings.Split(parts[3], ";")
	}
	return p, nil
}

// Change is what is changed, and by what.
func (p Put) Change() string { return p.Field + "\t" + p.Method }

// Among tells whether other notes about the same change concern all tests that the note concerns.
func (p Put) Among(others []Put) bool {
	seen := map[string]bool{}
	for _, q := range others {
		if p.Again && !(q.Again && q.wider(p)) {
			continue
		}
		if len(q.Within) == 0 {
			return true
		}
		for _, class := range q.Within {
			seen[class] = true
		}
	}
	return len(p.Within) > 0 && !slices.ContainsFunc(p.Within, func(class string) bool { return !seen[class] })
}

// wider tells whether a test that has all callers of a note has all those of another.
func (p Put) wider(than Put) bool {
	return len(p.Callers) == 0 || len(than.Callers) > 0 && !slices.ContainsFunc(than.Callers, func(c string) bool { return !slices.Contains(p.Callers, c) })
}

// FieldsOf is what stands in Notes.Reads for fields of objects of a class.
func FieldsOf(class string) string { return class + ".*" }

// AnyFields stands in Notes.Reads for fields of any object.
const AnyFields = "*.*"

// Notes are what a footprint does with static fields of the project that can change.
type Notes struct {
	Reads []string // "class.field" of static fields, FieldsOf classes, or AnyFields; sorted
	Puts  []Put
}

// notes makes the notes of all footprints.
func (h *heir) notes() map[*agent.Footprint]*Notes {
	out := map[*agent.Footprint]*Notes{}
	of := func(k int32) *Notes {
		n := out[h.from[k]]
		if n == nil {
			n = &Notes{}
			out[h.from[k]] = n
		}
		return n
	}
	for _, c := range h.cells.all {
		if !h.noted(c) {
			continue
		}
		in := map[int32]bool{}
		for _, n := range h.lookers(c) {
			for _, k := range h.with[n] {
				if !in[k] {
					in[k] = true
					of(k).Reads = append(of(k).Reads, c.label)
				}
			}
		}
		initializer, puts := "init("+h.types[c.owner].name+")", c.near
		switch {
		case standardOutput(c.label):
			puts = nil
		case c.plain:
			puts = c.puts // what is there has no methods of the project's that could change it
		}
		for _, n := range union(c.writers, puts) {
			if h.methods[n].body == nil {
				continue
			}
			h.turn++
			h.own[n] = h.turn
			again, counts := c.rows || h.sets(n, c), h.countsEach(n, c) && !c.filledOnceBy(n)
			for _, g := range h.groups(n) {
				p := Put{Field: c.label, Method: h.name(n), Again: again}
				for _, class := range c.fields[n] {
					p.Within = append(p.Within, h.types[class].name)
				}
				slices.Sort(p.Within)
				for _, m := range g.callers {
					if !c.rows && !counts { // whoever calls it may write something else, and each call counts
						p.Callers = append(p.Callers, h.name(m))
					}
				}
				slices.Sort(p.Callers)
				for _, k := range g.in {
					if h.from[k].Name != initializer && !(c.rows && h.undone[k]) { // whoever reads the field has its class initialized
						p.Left = c.watched && h.unchanged(k, c)
						of(k).Puts = append(of(k).Puts, p)
					}
				}
			}
		}
	}
	known := map[string][]Put{}
	for k := range h.from {
		if reads := h.lookedInto(int32(k)); len(reads) > 0 {
			of(int32(k)).Reads = append(of(int32(k)).Reads, reads...)
		}
		if puts := h.reflectivePuts(k, known); len(puts) > 0 {
			of(int32(k)).Puts = append(of(int32(k)).Puts, puts...)
		}
	}
	for _, n := range out {
		slices.Sort(n.Reads)
		n.Reads = slices.Compact(n.Reads)
	}
	return out
}

// reflectivePuts are about the static fields of the project that a footprint may set by reflection, or whose object: those of classes that it looked at. Whether anything that was entered names them does not matter.
// Known is what was found out about classes.
func (h *heir) reflectivePuts(k int, known map[string][]Put) (out []Put) {
	for _, e := range h.from[k].Events {
		if e.Kind == agent.ClassReflected {
			out = append(out, h.settable(strings.ReplaceAll(e.Text, ".", "/"), known)...)
		}
	}
	if _, sets := h.usesFields(k); len(out) == 0 || !sets {
		return nil
	}
	return out
}

// settable are the puts that reflection upon a class of the project makes possible, with those of its superclasses.
func (h *heir) settable(name string, known map[string][]Put) []Put {
	if out, ok := known[name]; ok || name == "" {
		return out
	}
	known[name] = nil
	if h.tests[name] || !h.program.Own(name) {
		return nil
	}
	c, err := h.program.Class(name)
	if err != nil || c == nil {
		return nil
	}
	out := slices.Clone(h.settable(c.Super, known))
	for i := range c.Fields {
		switch f := &c.Fields[i]; {
		case f.Static && !f.Final:
			out = append(out, Put{Field: name + "." + f.Name, Again: true})
		case f.Static && fieldClass(f.Descriptor) == name: // an object of the class itself
			out = append(out, Put{Field: name + "." + f.Name, Again: true, Within: []string{name}})
		}
	}
	known[name] = out
	return out
}

// noted tells whether a cell is a static field of the project that can change, or that leads to something that can; a field of an object that several tests share, because it is that of a test class or a constant
// of an enum; or something that the JDK or a library keeps.
func (h *heir) noted(of *cell) bool {
	if of.kept {
		return !of.lazy && h.types[of.owner].name == "java/lang/System" // not the constants of an enum, which are always the same
	}
	if !of.static {
		return h.types[of.owner].ours && (h.single[of.owner] || h.isEnum(of.owner))
	}
	if !of.ours && !h.types[of.owner].ours || strings.Contains(of.label, ".$") {
		return false
	}
	f := h.types[of.owner].field(of)
	return f == nil || !f.Final || !f.Bare && followed(of.descriptor)
}

func (h *heir) isEnum(class int32) bool {
	c := h.types[class].class
	return c != nil && c.Super == "java/lang/Enum"
}

// lookers are the readers of a cell that can tell what it holds.
func (h *heir) lookers(of *cell) []int32 {
	return slices.DeleteFunc(slices.Clone(of.readers), func(n int32) bool { return h.blind(n, of) })
}

// blind tells whether a method that reads a cell cannot tell what it holds: it writes to System.out, whatever that is.
func (c *cells) blind(n int32, of *cell) bool {
	b := c.methods[n].body
	return standardOutput(of.label) && (b == nil || !b.Observes)
}

// name is "class.name descriptor", as the plan has it.
func (h *heir) name(n int32) string {
	m, _ := h.plan.Method(h.methods[n].id)
	return m.String()
}

// absences finds among puts of absent tests those that a test would have found.
type absences struct {
	puts    []Put
	readers [][]int32 // by put: who reads the field
	within  [][]int32 // by put: classes of Within that are known
	methods []int32   // by put: the method; -1 if nobody entered it
	callers [][]int32
}

func (h *heir) absences(puts []Put) *absences {
	a := &absences{puts: puts, readers: make([][]int32, len(puts)), within: make([][]int32, len(puts)), methods: make([]int32, len(puts)), callers: make([][]int32, len(puts))}
	if len(puts) == 0 {
		return a
	}
	known := map[string]int32{}
	for n := range h.methods {
		known[h.name(int32(n))] = int32(n)
	}
	find := func(name string) int32 {
		if n, ok := known[name]; ok {
			return n
		}
		return -1
	}
	readers := map[string][]int32{}
	for _, c := range h.cells.all {
		if h.noted(c) {
			readers[c.label] = append(readers[c.label], h.lookers(c)...)
		}
	}
	for i, p := range puts {
		a.readers[i], a.methods[i] = readers[p.Field], find(p.Method)
		for _, m := range p.Callers {
			a.callers[i] = append(a.callers[i], find(m))
		}
		for _, name := range p.Within {
			if class, known := h.classes[name]; known {
				a.within[i] = append(a.within[i], class)
			}
		}
	}
	return a
}

// of lists the puts that the test of an heir would have found: those to a field that it reads, by a method that it does not enter itself. Of one that it enters and that would not have done the same
// for it, those that something called which the test has not.
func (a *absences) of(h *heir) []int {
	has := func(n int32) bool { return n >= 0 && (h.own[n] == h.turn || h.gain[n] == h.turn) }
	var out []int
	for i, p := range a.puts {
		if !slices.ContainsFunc(a.readers[i], has) || len(p.Within) > 0 && !h.sees(a.within[i]) {
			continue
		}
		if n := a.methods[i]; n >= 0 && h.own[n] == h.turn {
			strange := len(a.callers[i]) == 0 || slices.ContainsFunc(a.callers[i], func(m int32) bool { return !has(m) })
			if !p.Again || !strange {
				continue
			}
		}
		out = append(out, i)
	}
	return out
}
