package instrument

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/cfg"
	"winnow/internal/jvm/classfile"
)

var errPoolFull = errors.New("constant pool full")

// An edging is where the edges of a method get their probes.
type edging struct {
	graph  *cfg.Graph
	points map[int]*point // by offset
	ids    []int          // by edge: the number of its probe, from 1; 0 is the probe of the method's entry
	used   int            // probes without the entry's
}

// edgesOf decides where the probe of each edge goes. An edge that is the only one from a jump, a return or athrow has it before that instruction; one that falls into a block, or goes back
// behind a jsr, at the end of what falls; one that is the only way into a block at its beginning; any other jump an arm of its own. All exceptional edges into a handler
// share one probe, and so do all edges back behind one jsr: what is thrown, or which ret was used, cannot be seen where they end.
func (j *job) edgesOf(b *body) (*edging, error) {
	graph, err := cfg.Of(j.class, &classfile.Code{Bytes: b.code, Exceptions: exceptions(b.handlers)})
	if err != nil {
		return nil, err
	}
	e := &edging{graph: graph, points: map[int]*point{}, ids: make([]int, len(graph.Edges))}
	shared := map[int]int{} // by block: the id of its handler's probe
	backs := map[int]int{}  // by block: the id of its probe for ret
	for i, edge := range graph.Edges {
		switch edge.Kind {
		case cfg.Begin:
		case cfg.Exception:
			e.ids[i] = e.share(shared, edge.To, func(p *point, id int) { p.catch = id })
		case cfg.Back:
			e.ids[i] = e.share(backs, edge.To, func(p *point, id int) { p.fall = id })
		default:
			e.used++
			e.ids[i] = e.used
			e.place(i, edge)
		}
	}
	return e, nil
}

// share gives all edges of a kind into one block the same probe.
func (e *edging) share(known map[int]int, block int, set func(p *point, id int)) int {
	if known[block] == 0 {
		e.used++
		known[block] = e.used
		set(e.point(e.graph.Blocks[block].Start), e.used)
	}
	return known[block]
}

// place puts the probe of an edge where nothing but the edge leads through.
func (e *edging) place(i int, edge cfg.Edge) {
	from := &e.graph.Blocks[edge.From]
	switch {
	case edge.Kind == cfg.Fall:
		e.point(e.graph.Blocks[edge.To].Start).fall = e.ids[i]
	case edge.Kind == cfg.Call || edge.To < 0 || from.Last == bytecode.Goto || from.Last == bytecode.GotoW:
		p := e.point(from.LastPC)
		p.at = append(p.at, e.ids[i])
	case len(e.graph.Blocks[edge.To].Pred) == 1:
		p := e.point(e.graph.Blocks[edge.To].Start)
		p.at = append(p.at, e.ids[i])
	default:
		p := e.point(e.graph.Blocks[edge.To].Start)
		p.arms = append(p.arms, arm{edge: i, id: e.ids[i]})
	}
}

func (e *edging) point(pc int) *point {
	p := e.points[pc]
	if p == nil {
		p = &point{pc: pc}
		e.points[pc] = p
	}
	return p
}

// layout is where everything goes, for a prologue of a length. What closes the method is before each of its returns.
func (e *edging) layout(prologue int, returns []int, closing []byte) *moves {
	for _, pc := range returns {
		e.point(pc).closes = true
	}
	m := &moves{prologue: prologue, closing: closing, points: make([]point, 0, len(e.points))}
	for _, p := range e.points {
		m.points = append(m.points, *p)
	}
	slices.SortFunc(m.points, func(a, b point) int { return a.pc - b.pc })
	total := 0
	for i := range m.points {
		m.points[i].measure(total)
		total += m.points[i].size
	}
	m.total = total
	return m
}

// exceptions decodes an exception table.
func exceptions(rows []byte) []classfile.Exception {
	out := make([]classfile.Exception, 0, len(rows)/8)
	for ; len(rows) > 0; rows = rows[8:] {
		out = append(out, classfile.Exception{Start: uint16(be2(rows)), End: uint16(be2(rows[2:])), Handler: uint16(be2(rows[4:])), Catch: uint16(be2(rows[6:]))})
	}
	return out
}

// rewriteEdges appends the body with probes on its edges. After an error nothing is appended, and the method can still have a probe at its entry.
func (j *job) rewriteEdges(p *plan, b *body, prologue int) (err error) {
	mark, unmoved := len(j.out), len(j.result.Unmoved)
	defer func() {
		if err != nil {
			j.out, j.result.Unmoved = j.out[:mark], j.result.Unmoved[:unmoved]
		}
	}()
	if j.result.Coarse {
		return errPoolFull
	}
	e, err := j.edgesOf(b)
	if err != nil {
		return err
	}
	if e.used > j.spare {
		return errPoolFull
	}
	var returns []int
	closing := j.closing(p)
	if closing != nil {
		if returns, err = findReturns(b.code); err != nil {
			return err
		}
	}
	m := e.layout(prologue, returns, closing)
	size := len(b.code) + prologue + m.total
	switch {
	case size > maxCode || b.stack+probeStack > maxCode:
		return errTooLong
	case size > hugeMethod && len(b.code) <= hugeMethod && !p.clinit:
		return errHuge
	}
	if err := j.weave(p, b, m, e); err != nil {
		return err
	}
	j.acceptEdges(p, e)
	return nil
}

// acceptEdges notes the probes of a method's edges.
func (j *job) acceptEdges(p *plan, e *edging) {
	for i, n := range e.ids {
		id := j.id()
		if n > 0 {
			id = j.edgeID(n)
		}
		j.result.Edges = append(j.result.Edges, EdgeProbe{Name: p.method.Name, Descriptor: p.method.Descriptor, Method: p.index, ID: id, Edge: i})
	}
	j.edges += e.used
	j.spare -= e.used
	if p.clinit {
		j.result.Window, j.result.WindowID = WholeWindow, j.id()
		if j.refs.exit == 0 {
			j.result.Window = LostWindow
		}
	}
}

// weave appends the body with everything inserted.
func (j *job) weave(p *plan, b *body, m *moves, e *edging) error {
	j.out = put2(put2(j.out, max(b.stack+probeStack, j.prologueStack(p))), b.locals)
	j.out = put4(j.out, len(b.code)+m.prologue+m.total)
	j.putPrologue(p)
	if err := j.putWoven(b.code, m, e); err != nil {
		return err
	}
	if err := j.putHandlers(b, m); err != nil {
		return err
	}
	return j.putAttributes(p, b, m)
}

// putWoven writes the instructions with what is inserted between them.
func (j *job) putWoven(code []byte, m *moves, e *edging) error {
	var in bytecode.Instruction
	next := 0
	for pc := 0; pc < len(code); pc += in.Len {
		if err := in.Decode(code, pc); err != nil {
			return err
		}
		if next < len(m.points) && m.points[next].pc == pc {
			if err := j.putPoint(&m.points[next], m.closing); err != nil {
				return err
			}
			next++
		}
		from := len(j.out)
		j.out = append(j.out, code[pc:pc+in.Len]...)
		if err := retarget(j.out[from:], &in, e.distances(&in, m)); err != nil {
			return err
		}
	}
	return nil
}

// putPoint writes what is in front of an instruction.
func (j *job) putPoint(p *point, closing []byte) error {
	body := p.size - p.head // what lies behind the place that jumps go to
	end := len(j.out) + p.head
	if p.fall > 0 {
		j.putEdge(p.fall)
	}
	if p.jumpsOver() {
		if err := j.putOver(end); err != nil {
			return err
		}
	}
	for k, a := range p.arms {
		j.putEdge(a.id)
		if p.armLength(k) == armLength {
			if err := j.putOver(end); err != nil {
				return err
			}
		}
	}
	if p.catch > 0 {
		j.putEdge(p.catch)
	}
	for _, id := range p.at {
		j.putEdge(id)
	}
	if p.closes {
		j.out = append(j.out, closing...)
	}
	if len(j.out) != end+body {
		return fmt.Errorf("code at %d: what is inserted has another length than planned", p.pc)
	}
	return nil
}

// putEdge writes the n-th probe of a method's edges.
func (j *job) putEdge(n int) { j.putProbe(j.edgeID(n)) }

// edgeID is the id of the n-th probe of a method's edges. The ids of edges come behind one for each method with code, so that those of methods are the lowest; where a method has no
// probe, ids remain unused.
func (j *job) edgeID(n int) int { return len(j.methods) + j.edges + n - 1 }

// putOver writes a jump forwards. The padding is in front: behind a jump the verifier wants a frame.
func (j *job) putOver(to int) error {
	distance := to - len(j.out) - 1
	if distance > 1<<15-1 {
		return errTooWide
	}
	j.out = put2(append(j.out, byte(bytecode.Nop), byte(bytecode.Goto)), distance)
	return nil
}

// distances tells how far an instruction jumps: to the arm of the edge, or to the target itself.
func (e *edging) distances(in *bytecode.Instruction, m *moves) func(key string, target int) (int, error) {
	if !jumps(in.Op) {
		return nil
	}
	from := m.instruction(in.PC)
	edges := map[string]int{}
	for _, i := range e.graph.Blocks[e.graph.Block(in.PC)].Succ {
		if kind := e.graph.Edges[i].Kind; kind != cfg.Fall && kind != cfg.Exception {
			edges[e.graph.Edges[i].Label] = i
		}
	}
	return func(key string, target int) (int, error) {
		i, ok := edges[key]
		if !ok || e.graph.Blocks[e.graph.Edges[i].To].Start != target {
			return 0, fmt.Errorf("code at %d: the jump to %d is no edge", in.PC, target)
		}
		return m.destination(i, target) - from, nil
	}
}

// jumps tells whether an operation has targets.
func jumps(op bytecode.Op) bool {
	switch op.Format() {
	case bytecode.Branch2, bytecode.Branch4, bytecode.TableSwitch, bytecode.LookupSwitch:
		return true
	}
	return false
}

// keyOf is the label of a case.
func keyOf(in *bytecode.Instruction, i int) string {
	key, target := in.Case(i)
	if target == in.Target {
		return cfg.Default
	}
	return strconv.Itoa(key)
}
