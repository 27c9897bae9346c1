package state

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
)

// A Handed is a footprint that may have computed a value which a test finds in state.
type Handed struct {
	Label     string // "state(class.field)"
	Footprint *agent.Footprint
	// Test is the one that the footprint belongs to, if it is known what that test finds in state: then it comes with all that it shares, inherits and was handed.
	Test   *agent.TestTrace
	number int
}

// A gift is a lasting cell that the test reads and a method that puts there what it is given.
type gift struct {
	cell   int
	setter int32
}

// A mark is a footprint that may have written a cell by reflection.
type mark struct {
	cell int
	in   int32
}

// several tells whether a cell is one of many objects, of which it is not known which one a test finds.
func (h *heir) several(of *cell) bool {
	return !of.static && !h.single[of.owner] && h.makings[of.owner] > 1
}

// written notes the footprints that may have written a cell by reflection.
func (h *heir) written(c int, of *cell) {
	if h.several(of) {
		return
	}
	for _, k := range h.writtenIn[c] {
		if h.begins[k] <= h.ends && h.foot[k] != h.turn {
			h.marked = append(h.marked, mark{c, k})
		}
	}
}

// A group is the footprints in which a setter was called from the same methods.
type group struct {
	callers []int32
	in      []int32
}

// offer notes that a value in a cell may come from who called a method.
func (h *heir) offer(c int, setter int32) {
	if h.offered[setter] != h.turn {
		h.offered[setter] = h.turn
		h.gifts = append(h.gifts, gift{c, setter})
	}
}

// sets tells whether a near filler puts something into a kept cell that comes from outside of it. In libraries only static fields that are written directly count: what else
// they keep is mostly a cache.
func (h *heir) sets(n int32, of *cell) bool {
	if h.several(of) {
		return false
	}
	if h.switches(n, of) || h.memoizes(n, of) {
		return true
	}
	if of.ours {
		return h.setsOurs(n, of)
	}
	if !h.counts(n, of) && !h.echoesText(n, of) && (!h.takes(n) || h.own[n] == h.turn && h.answers(n)) {
		return false
	}
	if !h.types[of.owner].ours {
		return of.static && slices.Contains(of.givers, n)
	}
	if slices.Contains(of.writers, n) {
		return slices.Contains(of.givers, n)
	}
	return h.puts(n, of)
}

// memoizes tells whether a method that the test has looks at a field of the project and writes it, and may compute the value from what it is given: then what the test finds may come from what another caller gave to it.
func (h *heir) memoizes(n int32, of *cell) bool {
	b := h.methods[n].body
	if h.own[n] != h.turn || b == nil || !h.types[of.owner].ours || !slices.Contains(of.readers, n) || !slices.Contains(of.givers, n) {
		return false
	}
	return parameters(b.Descriptor) != "" || of.static && !b.Static && h.makings[h.methods[n].class] > 1
}

// setsOurs is sets for static fields of the project.
func (h *heir) setsOurs(n int32, of *cell) bool {
	if _, puts := slices.BinarySearch(of.puts, n); !puts {
		return false
	}
	if h.own[n] == h.turn && h.answers(n) {
		_, echoes := slices.BinarySearch(of.echoing, n)
		return echoes || h.counts(n, of) || h.echoesText(n, of) || h.methods[n].body.takesFunction() // another one may have computed the value
	}
	return h.counts(n, of) || h.takes(n)
}

// echoesText tells whether a method may put a text or number that it is given into a static field of the project, and return the one that is there: such values are not followed. In a map one more
// parameter is the key.
func (h *heir) echoesText(n int32, of *cell) bool {
	b := h.methods[n].body
	if b == nil || !of.static || !h.types[of.owner].ours {
		return false
	}
	value := of.descriptor
	keys := 0
	if of.plain {
		d := h.types[of.owner].field(of)
		if d == nil || d.Signature == of.descriptor {
			return false
		}
		types, _ := contents(d.Signature)
		value = "L" + types[len(types)-1] + ";"
		if class, known := h.classes[types[0]]; known && slices.ContainsFunc(h.types[class].above, func(up int32) bool { return h.types[up].name == "java/util/Map" }) {
			keys = 1
		}
	} else if !slices.Contains(of.givers, n) || !slices.Contains(of.readers, n) {
		return false
	}
	if followed(value) || !slices.Contains(boxed(value), returned(b.Descriptor)) {
		return false
	}
	taken := parameterTypes(b.Descriptor)
	return len(taken) > keys && slices.ContainsFunc(taken, func(t string) bool { return slices.Contains(boxed(value), t) })
}

// boxed are the types under which a value of a type is passed.
func boxed(t string) []string {
	for box, plain := range map[string]string{"Integer": "I", "Long": "J", "Short": "S", "Byte": "B", "Character": "C", "Boolean": "Z", "Float": "F", "Double": "D"} {
		if name := "Ljava/lang/" + box + ";"; t == name || t == plain {
			return []string{name, plain}
		}
	}
	return []string{t}
}

// switches tells whether a method that the test has not entered writes to a static field of the project without looking, and returns nothing: who calls it decides what the test finds, even if it only writes a constant.
func (h *heir) switches(n int32, of *cell) bool {
	b := h.methods[n].body
	return of.static && h.types[of.owner].ours && h.own[n] != h.turn && b != nil && b.Name != "<clinit>" && returned(b.Descriptor) == "V" && !b.Branches && !h.tests[h.types[h.methods[n].class].name] && slices.Contains(of.writers, n)
}

// counts tells whether what a method puts into a cell depends on what was there: then it matters how often it was called.
func (h *heir) counts(n int32, of *cell) bool {
	if _, counts := slices.BinarySearch(of.counting, n); counts {
		return true
	}
	return !of.kept && slices.Contains(of.givers, n) && slices.Contains(of.readers, n) && !h.lazy(n, of)
}

// countsEach tells whether each call of a method counts, whoever makes it. In libraries what is counted is mostly the work of a cache or a pool.
func (h *heir) countsEach(n int32, of *cell) bool { return h.types[of.owner].ours && h.counts(n, of) }

// answers tells whether a method may look before it fills: what it would have done for the test is followed anyway.
func (h *heir) answers(n int32) bool {
	b := h.methods[n].body
	return b == nil || b.Branches || returned(b.Descriptor) != "V"
}

// takes tells whether a method gets anything: a parameter, or the object that it belongs to.
func (h *heir) takes(n int32) bool {
	b := h.methods[n].body
	return b == nil || !b.Static || parameters(b.Descriptor) != ""
}

// puts tells whether a method changes an array or an object of the JDK in a cell by its own instructions.
func (h *heir) puts(n int32, of *cell) bool {
	b := h.methods[n].body
	if b == nil {
		return true
	}
	if of.descriptor[0] == '[' {
		return b.Stores&elementsOf(of.descriptor) != 0
	}
	holds, ok := h.classes[fieldClass(of.descriptor)]
	return !ok || slices.ContainsFunc(b.Calls, func(m Member) bool {
		class, known := h.classes[m.Class]
		return known && !m.Static && h.inJDK(m) && (h.isA(class, holds) || h.isA(holds, class)) && !m.only(of.descriptor)
	})
}

// handed lists the footprints that may have handed over the values that the test finds in state. Those that come with others are left out: a test to which all tests before it handed something depends on the
// last one of them, and through it on the rest. Number is the test's place among all, from 1.
func (h *heir) handed(t *agent.TestTrace, number int) []Handed {
	var from []mark // each footprint once: more of it would be left out
	add := func(m mark) {
		if h.listed[m.in] != h.turn {
			h.listed[m.in] = h.turn
			from = append(from, m)
		}
	}
	for _, s := range h.calm {
		if !h.fillsOnce(s.filler, h.cells.all[s.cell]) {
			h.offer(s.cell, s.filler)
		}
	}
	for _, g := range h.gifts {
		for _, k := range h.givers(g.setter, h.cells.all[g.cell]) {
			add(mark{g.cell, k})
		}
	}
	for _, m := range h.marked {
		add(m)
	}
	slices.SortStableFunc(from, func(a, b mark) int { return cmp.Compare(h.told[b.in], h.told[a.in]) }) // the last one first: it comes with most others
	own := int32(h.number[t.Own])
	h.seen[own], h.full[own] = h.turn, h.turn
	for _, f := range t.Shared {
		h.seen[h.number[f]] = h.turn
	}
	var out []Handed
	for _, m := range from {
		if h.full[m.in] == h.turn || h.whose[m.in] == nil && h.seen[m.in] == h.turn {
			continue
		}
		label := "state(" + h.cells.all[m.cell].label + ")"
		out = append(out, Handed{label, h.from[m.in], h.whose[m.in], int(m.in)})
		if h.whose[m.in] == nil {
			for _, k := range h.beside[m.in] {
				if h.seen[k] != h.turn {
					out = append(out, Handed{label, h.from[k], nil, int(k)})
				}
			}
		}
		h.cover(m.in)
	}
	for _, k := range h.itself(t) {
		h.before[k], h.whose[k], h.told[k] = out, t, number
	}
	return out
}

// cover marks what comes with a footprint.
func (h *heir) cover(k int32) {
	for todo := []int32{k}; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		h.seen[k], h.full[k] = h.turn, h.turn
		for _, f := range h.beside[k] {
			h.seen[f] = h.turn
			if h.whose[f] != nil { // what happened before the test brings no more than the test does
				h.full[f] = h.turn
			}
		}
		for _, x := range h.before[k] {
			if x.Test == nil { // it came without what was handed to its test
				h.seen[x.number] = h.turn
			} else if h.full[x.number] != h.turn {
				todo = append(todo, int32(x.number))
			}
		}
	}
}

// givers lists the footprints in which a setter was called before the test ended, unless by code that the test has or inherits only: that would have done the same for the
// test, had it been the first. It would not if the setter counts: then each call matters.
func (h *heir) givers(setter int32, c *cell) []int32 {
	var out []int32
	counts := h.countsEach(setter, c) && !h.fillsOnce(setter, c)
	for _, of := range h.groups(setter) {
		strange := slices.ContainsFunc(of.callers, func(m int32) bool { return h.own[m] != h.turn && (h.gain[m] != h.turn || h.passes(m, c)) })
		if len(of.callers) > 0 && !strange && !c.rows && !counts {
			continue
		}
		for _, k := range of.in {
			if h.begins[k] <= h.ends && h.foot[k] != h.turn && !(c.rows && h.undone[k]) && !(c.trusted && h.unchanged(k, c)) {
				out = append(out, k)
			}
		}
	}
	return out
}

// passes tells whether a method may hand on to a cell what it is given.
func (h *heir) passes(n int32, c *cell) bool {
	if len(c.descriptor) == 1 { // numbers are not followed
		b := h.methods[n].body
		return h.types[c.owner].ours && (b == nil || slices.ContainsFunc(parameterTypes(b.Descriptor), func(t string) bool { return len(t) == 1 }))
	}
	_, ok := slices.BinarySearch(c.passing, n)
	return ok
}

// groups sorts the footprints that entered a setter by where it was called from.
func (h *heir) groups(setter int32) []group {
	if out, ok := h.grouped[setter]; ok {
		return out
	}
	at := map[string]int{}
	var out []group
	for _, k := range h.with[setter] {
		var callers []int32
		var key []byte
		for _, m := range h.in[setter] {
			if _, ok := slices.BinarySearch(h.has[k], m); ok && m != setter {
				callers = append(callers, m)
				key = binary.AppendUvarint(key, uint64(m))
			}
		}
		i, ok := at[string(key)]
		if !ok {
			i = len(out)
			at[string(key)] = i
			out = append(out, group{callers: callers})
		}
		out[i].in = append(out[i].in, k)
	}
	h.grouped[setter] = out
	return out
}

// began notes when the footprint of each test began, and what the test shares; all others count from the start.
func (h *heir) began(trace *agent.Trace) {
	h.begins, h.beside, h.before = make([]uint64, len(h.from)), make([][]int32, len(h.from)), make([][]Handed, len(h.from))
	h.whose, h.told = make([]*agent.TestTrace, len(h.from)), make([]int, len(h.from))
	for _, t := range slices.Backward(trace.Tests) { // of those with the same footprint the first one counts
		for _, k := range h.itself(t) {
			h.begins[k], h.beside[k] = t.Begin, h.beside[k][:0]
			for _, f := range t.Shared {
				h.beside[k] = append(h.beside[k], int32(h.number[f]))
			}
		}
	}
}

// countMakings counts for each class the footprints, besides those of initializers, in which an object of it was made. What happens in a container before its first test begins is in the footprints of both, and counts once.
func (h *heir) countMakings(trace *agent.Trace) {
	h.makings = make([]int, len(h.types))
	first := map[*agent.Footprint]*agent.TestTrace{}
	for _, t := range trace.Tests {
		for _, f := range t.Shared {
			if first[f] == nil || t.Begin < first[f].Begin {
				first[f] = t
			}
		}
	}
	makes := make([]map[int32]bool, len(h.from)) // by footprint: the classes
	for k, f := range h.from {
		if strings.HasPrefix(f.Name, "init(") {
			continue
		}
		makes[k] = map[int32]bool{}
		for _, n := range h.has[k] {
			for _, class := range h.constructs[n] {
				for _, up := range h.types[class].above {
					makes[k][up] = true
				}
			}
		}
	}
	for k := range h.from {
		for class := range makes[k] {
			if !slices.ContainsFunc(h.beside[k], func(f int32) bool { return h.number[first[h.from[f]].Own] == k && makes[f][class] }) {
				h.makings[class]++
			}
		}
	}
}

// shareObjects notes the test classes of which one object serves all tests, with their supertypes: those of TestNG, and of Jupiter if they say something about it, or if a test uses an object that was made before
// it: the configuration of Jupiter can say so for all classes.
func (h *heir) shareObjects(trace *agent.Trace) {
	h.single = make([]bool, len(h.types))
	for _, t := range trace.Tests {
		class, known := h.classes[strings.ReplaceAll(t.Class, ".", "/")]
		if !known || h.single[class] {
			continue
		}
		above := h.types[class].above
		says := slices.ContainsFunc(above, func(up int32) bool { return h.types[up].class != nil && h.types[up].class.saysInstance() })
		if says || strings.HasPrefix(t.Group, "testng:") || strings.HasPrefix(t.Key, "[engine:junit-jupiter]") && h.usesOnly(t, class) {
			for _, up := range above {
				h.single[up] = true
			}
		}
	}
}

// usesOnly tells whether a test runs methods of an object of a class and makes none itself.
func (h *heir) usesOnly(t *agent.TestTrace, class int32) bool {
	uses := false
	for _, k := range h.itself(t) {
		for _, n := range h.has[k] {
			if h.methods[n].class != class {
				continue
			}
			if h.builds(n) {
				return false
			}
			uses = uses || !h.methods[n].body.Static
		}
	}
	return uses
}

// takesFunction tells whether a parameter is a function of the JDK, of Kotlin or of Scala.
func (b *Body) takesFunction() bool {
	return b != nil && slices.ContainsFunc(parameterTypes(b.Descriptor), func(t string) bool {
		return strings.HasPrefix(t, "Ljava/util/function/") || t == "Ljava/util/concurrent/Callable;" || strings.HasPrefix(t, "Lkotlin/jvm/functions/") || strings.HasPrefix(t, "Lscala/Function")
	})
}

// lazy tells whether a method may be one that fills a cell only once: it looks, and returns an object. Objects that are numbers are counted with as well, so there it must be seen that the method does not.
func (h *heir) lazy(n int32, of *cell) bool {
	b := h.methods[n].body
	if b == nil {
		return true
	}
	if !b.Branches || !strings.HasPrefix(returned(b.Descriptor), "L") && !strings.HasPrefix(returned(b.Descriptor), "[") {
		return false
	}
	return !of.static || len(boxed(of.descriptor)) == 1 || slices.ContainsFunc(of.onces, func(o writing) bool { return o.method == n })
}
