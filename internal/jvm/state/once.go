package state

import (
	"maps"
	"slices"
	"strconv"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/cfg"
	"winnow/internal/jvm/classfile"
)

// A Once says that a body fills a static field, or clears it, whatever it finds there.
type Once struct {
	Field Member
	// Flag is the static field that was just found equal to Mark, a constant, wherever the body writes Field: Field itself, or another one of its class; then nothing that the body loads from Field gets to where it writes it.
	// It has no name if the body only clears Field: all that it writes is Mark.
	Flag  Member
	Mark  string
	Quiet bool // unless Flag was found equal to Mark, the body changes nothing to which Field may lead
}

// A writing is how a method writes a cell.
type writing struct {
	Once
	method int32
}

// noteOnce notes how a method writes a cell by one of the names of the field.
func (f *cell) noteOnce(n int32, b *Body, m Member) {
	if at := slices.IndexFunc(b.Onces, func(o Once) bool { return o.Field == m }); at >= 0 {
		f.onces = append(f.onces, writing{b.Onces[at], n})
	}
}

// findOnces finds the cells that one method fills, only as long as they, or a flag of which the same holds, have a mark, and that nobody else writes, unless to put the mark there. Then all that anybody finds behind that method is
// what it put there, and no call of it before shows. A flag must not be cleared: it would be so without the cell.
func (c *cells) findOnces() error {
	for _, f := range c.all {
		at := slices.IndexFunc(f.onces, func(o writing) bool { return o.Flag.Name != "" })
		if at < 0 {
			continue
		}
		fills := f.onces[at]
		if fills.Flag == fills.Field {
			if f.writtenLike(&fills, true) {
				f.once = f
			}
			continue
		}
		at, _, err := c.field(fills.Flag)
		if err != nil {
			return err
		}
		flag := c.all[at]
		if f.writtenLike(&fills, false) && flag.writtenLike(&writing{Once{Field: fills.Flag, Flag: fills.Flag, Mark: fills.Mark}, fills.method}, false) && !c.looks(fills.method, f) {
			f.once = flag
		}
	}
	return nil
}

// writtenLike tells whether a cell is only written by one method, in one way; others may clear it.
func (f *cell) writtenLike(fills *writing, clears bool) bool {
	return len(f.onces) == len(f.writers) && !slices.ContainsFunc(f.onces, func(o writing) bool {
		return o.Mark != fills.Mark || (o.method != fills.method || o.Flag != fills.Flag) && !(clears && o.Flag.Name == "")
	})
}

// looks tells whether others that a method runs look at a cell: they could count with it for the method.
func (c *cells) looks(n int32, at *cell) bool {
	seen := map[int32]bool{n: true}
	for todo := []int32{n}; len(todo) > 0; {
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if m != n && slices.Contains(at.readers, m) {
			return true
		}
		for _, to := range c.out[m] {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return false
}

// fillsOnce tells whether it does not matter for the test how often others called a method that fills a cell: the test has entered it and gives nothing to it, and nothing else that the test has or inherits looks at the cell.
func (h *heir) fillsOnce(n int32, of *cell) bool {
	if of.once == nil || h.own[n] != h.turn || h.takes(n) || slices.Contains(of.counting, n) {
		return false
	}
	looks := func(m int32) bool { // who writes the cell is inherited for that
		return m != n && (h.own[m] == h.turn || h.gain[m] == h.turn && !slices.Contains(of.writers, m))
	}
	if slices.ContainsFunc(of.readers, looks) || slices.ContainsFunc(of.once.readers, looks) {
		return false
	}
	return of.filledOnceBy(n)
}

// filledOnceBy tells whether a method fills the cell as long as it has its mark, and does not change it otherwise.
func (f *cell) filledOnceBy(n int32) bool {
	return f.once != nil && slices.ContainsFunc(f.onces, func(o writing) bool {
		return o.method == n && o.Flag.Name != "" && (o.Quiet || !followed(f.descriptor))
	})
}

// A onceReader finds out where one body compares and writes static fields.
type onceReader struct {
	*bodyReader
	graph  *cfg.Graph
	blocks [][]bytecode.Instruction
	locals []map[int]Member // by block: the static fields from which local variables were loaded before it; nil if nothing is known to lead there
	guards []guard
	loads  []access
	stores []access
}

// A guard is the edges behind which a static field had the value of a constant when it was loaded.
type guard struct {
	field Member
	mark  string
	edges []int
}

// An access is an instruction that loads or writes a static field.
type access struct {
	field     Member
	block, at int    // at: in the block
	constant  string // that it writes; "" if it is none, or not known
}

// onceAtMost bounds the questions about one body; those of compilers have a few.
const onceAtMost = 1 << 10

// onces finds the static fields with which a body does not count.
func (r *bodyReader) onces(b *Body, code *classfile.Code) []Once {
	if b.Name == "<clinit>" || r.byHandle || !follows(r.class.Name()) || !slices.ContainsFunc(b.Writes, func(m Member) bool { return m.Static }) {
		return nil
	}
	graph, err := cfg.Of(r.class, code)
	if err != nil || slices.ContainsFunc(graph.Edges, func(e cfg.Edge) bool { return e.Kind == cfg.Call }) {
		return nil // a JVM refuses it, or it is too old: then the body counts
	}
	o := &onceReader{bodyReader: r, graph: graph}
	o.read(code.Bytes)
	if len(b.Writes)*(len(o.guards)+1) > onceAtMost {
		return nil
	}
	var out []Once
	for _, m := range b.Writes {
		if once, ok := o.once(m); ok && m.Static {
			out = append(out, once)
		}
	}
	return out
}

// once finds out how the body writes a field.
func (o *onceReader) once(field Member) (Once, bool) {
	for _, g := range o.guards {
		if g.field != field {
			continue
		}
		if free := o.without(g.edges); !o.writes(field, free) {
			return Once{field, g.field, g.mark, o.quiet(field, free)}, true
		}
	}
	for _, g := range o.guards {
		if g.field == field || g.field.Class != field.Class {
			continue
		}
		if free := o.without(g.edges); !o.writes(field, free) && !o.adds(field) {
			return Once{field, g.field, g.mark, o.quiet(field, free)}, true
		}
	}
	mark := ""
	for _, s := range o.stores {
		if s.field != field {
			continue
		}
		if s.constant == "" || mark != "" && s.constant != mark {
			return Once{}, false
		}
		mark = s.constant
	}
	return Once{Field: field, Mark: mark}, mark != ""
}

// writes tells whether an instruction in some blocks writes a field.
func (o *onceReader) writes(field Member, in []bool) bool {
	return slices.ContainsFunc(o.stores, func(s access) bool { return s.field == field && in[s.block] })
}

// adds tells whether what the body loads from a field can get to where it writes the field, under whatever name of its class.
func (o *onceReader) adds(field Member) bool {
	for _, l := range o.loads {
		if l.field.Name != field.Name || l.field.Descriptor != field.Descriptor {
			continue
		}
		behind := o.behind(l.block, func(int) bool { return true })
		if slices.ContainsFunc(o.stores, func(s access) bool { return s.field == field && (behind[s.block] || s.block == l.block && s.at > l.at) }) {
			return true
		}
	}
	return false
}

// quiet tells whether nothing in some blocks can change what a field leads to.
func (o *onceReader) quiet(field Member, in []bool) bool {
	for b, there := range in {
		if there && slices.ContainsFunc(o.blocks[b], func(in bytecode.Instruction) bool { return o.disturbs(&in, field) }) {
			return false
		}
	}
	return true
}

// disturbs tells whether an instruction can change what a field leads to: it changes an object, or calls something that is not known to look only.
func (o *onceReader) disturbs(in *bytecode.Instruction, field Member) bool {
	switch in.Op {
	case bytecode.Invokevirtual, bytecode.Invokespecial, bytecode.Invokestatic, bytecode.Invokeinterface:
		m := o.member(uint16(in.Index), in.Op)
		return !platform(m.Class) || !m.only(field.Descriptor) || m.Class == "java/lang/System" || m.Name == "getAndIncrement" || m.Name == "forEach"
	}
	return in.Op == bytecode.Putfield || in.Op == bytecode.Invokedynamic || writesElement(in.Op)
}

// without tells which blocks control can reach without some edges.
func (o *onceReader) without(edges []int) []bool {
	return o.behind(-1, func(e int) bool { return !slices.Contains(edges, e) })
}

// behind tells which blocks control can reach from the end of a block, or from the start if it is -1, by edges that may be used.
func (o *onceReader) behind(block int, usable func(edge int) bool) []bool {
	seen := make([]bool, len(o.blocks))
	if block < 0 {
		block, seen[0] = 0, true
	}
	for todo := []int{block}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range o.graph.Blocks[b].Succ {
			if to := o.graph.Edges[e].To; to >= 0 && !seen[to] && usable(e) {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}

// read goes through the body until it is known what local variables hold, and notes where static fields are compared, loaded and written.
func (o *onceReader) read(code []byte) {
	o.blocks, o.locals = make([][]bytecode.Instruction, len(o.graph.Blocks)), make([]map[int]Member, len(o.graph.Blocks))
	for b := range o.blocks {
		for pc := o.graph.Blocks[b].Start; pc < o.graph.Blocks[b].End; {
			var in bytecode.Instruction
			if in.Decode(code, pc) != nil {
				return // cfg has read it
			}
			o.blocks[b] = append(o.blocks[b], in)
			pc += in.Len
		}
	}
	o.locals[0] = map[int]Member{}
	for todo := []int{0}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		before, after := o.through(b)
		for _, e := range o.graph.Blocks[b].Succ {
			edge := &o.graph.Edges[e]
			holds := after
			if edge.Kind == cfg.Exception {
				holds = before
			}
			if edge.To >= 0 && o.arrives(edge.To, holds) {
				todo = append(todo, edge.To)
			}
		}
	}
	for b := range o.blocks {
		if o.locals[b] != nil {
			o.note(b)
		}
	}
}

// arrives notes what local variables hold before a block, if control can come from another place, and tells whether less is known than before.
func (o *onceReader) arrives(b int, holds map[int]Member) bool {
	if o.locals[b] == nil {
		o.locals[b] = maps.Clone(holds)
		return true
	}
	known := len(o.locals[b])
	maps.DeleteFunc(o.locals[b], func(i int, m Member) bool { return holds[i] != m })
	return len(o.locals[b]) < known
}

// through is what local variables hold after a block, and what they hold all the while.
func (o *onceReader) through(b int) (all, after map[int]Member) {
	all, after = maps.Clone(o.locals[b]), maps.Clone(o.locals[b])
	for at := range o.blocks[b] {
		for _, i := range o.assign(b, at, after) {
			delete(all, i)
		}
	}
	return all, after
}

// assign does to local variables what an instruction does, and lists those that it changes.
func (o *onceReader) assign(b, at int, locals map[int]Member) []int {
	in := &o.blocks[b][at]
	if in.Op == bytecode.Iinc {
		delete(locals, in.Index)
		return []int{in.Index}
	}
	if !storesLocal(in.Op) {
		return nil
	}
	i, kind := variable(in, bytecode.Istore, bytecode.Istore0)
	field, known := o.loaded(b, at-1, locals)
	delete(locals, i)
	if known {
		locals[i] = field
	}
	if kind == kindLong || kind == kindDouble {
		delete(locals, i+1)
		return []int{i, i + 1}
	}
	return []int{i}
}

func storesLocal(op bytecode.Op) bool { return op >= bytecode.Istore && op <= bytecode.Astore3 }

// loaded is the static field from which the value comes that is on top of the stack behind an instruction: one that loads it, or copies it, or puts the copy into a local variable.
func (o *onceReader) loaded(b, at int, locals map[int]Member) (field Member, known bool) {
	block := o.blocks[b]
	if at > 0 && storesLocal(block[at].Op) {
		_, kind := variable(&block[at], bytecode.Istore, bytecode.Istore0)
		if wide := kind == kindLong || kind == kindDouble; wide != (block[at-1].Op == bytecode.Dup2) || !wide && block[at-1].Op != bytecode.Dup {
			return Member{}, false
		}
		at--
	}
	if at > 0 && (block[at].Op == bytecode.Dup || block[at].Op == bytecode.Dup2) {
		at--
	}
	switch {
	case at < 0:
	case block[at].Op == bytecode.Getstatic:
		return o.member(uint16(block[at].Index), block[at].Op), true
	case block[at].Op >= bytecode.Iload && block[at].Op <= bytecode.Aload3:
		i, _ := variable(&block[at], bytecode.Iload, bytecode.Iload0)
		field, known = locals[i]
	}
	return field, known
}

// note notes what a block does with static fields.
func (o *onceReader) note(b int) {
	locals := maps.Clone(o.locals[b])
	block := o.blocks[b]
	for at := range block {
		switch in := &block[at]; in.Op {
		case bytecode.Getstatic:
			o.loads = append(o.loads, access{field: o.member(uint16(in.Index), in.Op), block: b, at: at})
		case bytecode.Putstatic:
			from := at - 1
			if from > 0 && block[from].Op == bytecode.Dup {
				from--
			}
			o.stores = append(o.stores, access{o.member(uint16(in.Index), in.Op), b, at, o.constant(b, from)})
		}
		o.assign(b, at, locals)
	}
	o.compare(b, locals)
}

// compare notes the edges behind which a field is known to equal a constant.
func (o *onceReader) compare(b int, locals map[int]Member) {
	block := o.blocks[b]
	at := len(block) - 2
	if at < 0 {
		return
	}
	op := block[at+1].Op
	field, mark := Member{}, "0"
	switch op {
	case bytecode.Ifnull, bytecode.Ifnonnull:
		field, _ = o.loaded(b, at, locals)
		mark = "null"
	case bytecode.Ifeq, bytecode.Ifne:
		if before := block[at].Op; before >= bytecode.Lcmp && before <= bytecode.Dcmpg {
			field, mark = o.both(b, at-1, locals)
		} else {
			field, _ = o.loaded(b, at, locals)
		}
	case bytecode.IfIcmpeq, bytecode.IfIcmpne, bytecode.IfAcmpeq, bytecode.IfAcmpne:
		field, mark = o.both(b, at, locals)
	}
	if field.Name == "" || mark == "" {
		return
	}
	equal, other := cfg.Fall, cfg.Taken
	if op == bytecode.Ifnull || op == bytecode.Ifeq || op == bytecode.IfIcmpeq || op == bytecode.IfAcmpeq {
		equal, other = other, equal
	}
	o.guard(b, equal, field, mark)
	if field.Descriptor == "Z" && mark == "0" {
		o.guard(b, other, field, "1")
	}
}

// both is the field and the constant that two instructions push, in any order.
func (o *onceReader) both(b, at int, locals map[int]Member) (field Member, constant string) {
	if constant = o.constant(b, at); constant != "" {
		field, _ = o.loaded(b, at-1, locals)
		return field, constant
	}
	if at > 0 && !storesLocal(o.blocks[b][at].Op) && o.blocks[b][at].Op != bytecode.Dup && o.blocks[b][at].Op != bytecode.Dup2 {
		field, _ = o.loaded(b, at, locals)
	}
	return field, o.constant(b, at-1)
}

// guard notes that a field equals a constant behind an edge of a block.
func (o *onceReader) guard(b int, kind cfg.Kind, field Member, mark string) {
	at := slices.IndexFunc(o.guards, func(g guard) bool { return g.field == field && g.mark == mark })
	if at < 0 {
		at = len(o.guards)
		o.guards = append(o.guards, guard{field: field, mark: mark})
	}
	for _, e := range o.graph.Blocks[b].Succ {
		if o.graph.Edges[e].Kind == kind {
			o.guards[at].edges = append(o.guards[at].edges, e)
		}
	}
}

// constant is the number or null that an instruction pushes; "" if it pushes something else.
func (o *onceReader) constant(b, at int) string {
	if at < 0 {
		return ""
	}
	in := &o.blocks[b][at]
	switch op := in.Op; {
	case op == bytecode.AconstNull:
		return "null"
	case op >= bytecode.IconstM1 && op <= bytecode.Iconst5:
		return strconv.Itoa(int(op) - int(bytecode.Iconst0))
	case op == bytecode.Lconst0 || op == bytecode.Fconst0 || op == bytecode.Dconst0:
		return "0"
	case op == bytecode.Lconst1 || op == bytecode.Fconst1 || op == bytecode.Dconst1:
		return "1"
	case op == bytecode.Bipush || op == bytecode.Sipush:
		return strconv.Itoa(in.Value)
	case op == bytecode.Ldc || op == bytecode.LdcW || op == bytecode.Ldc2W:
		switch c := o.class.Pool.At(uint16(in.Index)); c.Tag {
		case classfile.TagInteger:
			return strconv.Itoa(int(int32(c.Bits)))
		case classfile.TagLong:
			return strconv.FormatInt(int64(c.Bits), 10)
		}
	}
	return ""
}
