package jig

import (
	"fmt"
	"slices"
	"strconv"

	"winnow/internal/digest"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/observed"
)

// The labels of edges that are neither classes, signatures nor keys of a switch.
const (
	Next      = ""          // control goes on
	True      = "T"         // a branch whose condition holds
	False     = "F"         // and does not hold
	Default   = "*"         // every value that no other label of the node names
	Path      = "path"      // through what is called
	Called    = "call"      // from a call to its dispatch node
	Raised    = "exception" // an exception that is not caught yet
	Caught    = "caught"    // into the handler
	external  = "ECN"
	throwable = "java/lang/Throwable"
)

// A Kind says what a node is.
type Kind uint8

// The kinds of nodes. Those from Entry to Catch belong to a body.
const (
	Start Kind = iota
	ExternalCode
	ClassEntry
	DefaultMethods // what a class's default edge leads to
	NoInitializer
	Dispatch
	ExternalEntry
	ExternalExit
	Failure // a call that does not link, or of a method without a body
	Entry
	Exit
	ThrowExit
	Plain
	Call
	Return // where a call returns to
	Try
	Catch
)

// A node is a node of a body.
type node struct {
	word digest.Digest
	kind Kind
	at   int32 // number of the instruction, of a catch node the one where its handler begins; -1 for entry and exits
}

// An edge is an edge of a body.
type edge struct {
	from, to int32
	label    string
}

// A use is an instruction whose word or edges depend on other classes.
type use struct {
	node  int32
	op    bytecode.Op
	class string        // new, checkcast, …: as in the constant, may be an array
	ref   classfile.Ref // fields and calls
	label string        // of the edge of a method handle; "" for the instruction itself
}

// A body is one method of a class, not yet linked. It depends on the class and its canonical names only.
type body struct {
	method observed.Method
	name   string // canonical: p/A.m()V
	access classfile.Flags
	pcs    []int32 // offsets of the instructions
	nodes  []node  // entry, exit, exceptional exit, then the rest
	edges  []edge
	uses   []use
}

const (
	entry int32 = iota
	exit
	throwExit
)

// flags of a method that matter to those who enter it.
const entryFlags = classfile.Static | classfile.Synchronized | classfile.Native | classfile.Strict

func newBody(m observed.Method, name string, access classfile.Flags) *body {
	b := &body{method: m, name: name, access: access}
	b.add(node{wordOf("entry", name, strconv.Itoa(int(access&entryFlags))), Entry, -1})
	b.add(node{exitWord, Exit, -1})
	b.add(node{throwWord, ThrowExit, -1})
	return b
}

// wordOf is the word of a node that stands for no instruction, or for more than its instruction says.
func wordOf(parts ...string) digest.Digest {
	var b digest.Builder
	for _, p := range parts {
		b.AddString(p)
	}
	return b.Sum()
}

// The words that many nodes have.
var (
	exitWord   = wordOf("exit")
	throwWord  = wordOf("exceptional exit")
	returnWord = wordOf("return")
	switchWord = wordOf("switch") // its keys are labels
	tryWord    = wordOf("try")
	endWord    = wordOf("end of try")
)

func (b *body) add(n node) int32 {
	b.nodes = append(b.nodes, n)
	return int32(len(b.nodes) - 1)
}

func (b *body) edge(from int32, label string, to int32) {
	b.edges = append(b.edges, edge{from, to, label})
}

// fill makes the nodes and edges of a method's code. One without code, which is a native one, is like an external method.
func (b *body) fill(file *classfile.Class, code *classfile.Code, list *canon.Listing, literal bool) error {
	if code == nil {
		b.edge(entry, Path, exit)
		return nil
	}
	c := &coder{body: b, file: file, literal: literal, list: list.Instructions, handlers: list.Handlers, chains: map[string]int32{}, tries: map[int]int32{}}
	if err := c.decode(code); err != nil {
		return fmt.Errorf("%s: %w", b.method, err)
	}
	c.region()
	c.place()
	c.connect()
	return nil
}

// A coder makes one body of code.
type coder struct {
	*body
	file     *classfile.Class
	literal  bool // leaving a try block is no node
	list     []canon.Instruction
	handlers []canon.Handler
	code     []bytecode.Instruction
	node     []int32  // of each instruction; -1 for goto
	returns  []int32  // return nodes of calls; -1
	regions  []string // of each instruction: the handlers in force, as a key
	chains   map[string]int32
	tries    map[int]int32
}

func (c *coder) decode(code *classfile.Code) error {
	for pc := 0; pc < len(code.Bytes); {
		var in bytecode.Instruction
		if err := in.Decode(code.Bytes, pc); err != nil {
			return err
		}
		c.code = append(c.code, in)
		c.pcs = append(c.pcs, int32(pc))
		pc += in.Len
	}
	if len(c.code) != len(c.list) || len(c.code) == 0 {
		return fmt.Errorf("%d instructions, but %d in the normal form", len(c.code), len(c.list))
	}
	return nil
}

// region finds the handlers that are in force at each instruction. A key has two bytes for each.
func (c *coder) region() {
	c.regions = make([]string, len(c.list))
	if len(c.handlers) == 0 {
		return
	}
	var key []byte
	for i := range c.regions {
		key = key[:0]
		var types []string
		for n, h := range c.handlers {
			if i < h.Start || i >= h.End || slices.Contains(types, h.Catch) {
				continue
			}
			types = append(types, h.Catch)
			key = append(key, byte(n>>8), byte(n))
			if catchesAll(h) {
				break
			}
		}
		if i > 0 && string(key) == c.regions[i-1] {
			c.regions[i] = c.regions[i-1]
			continue
		}
		c.regions[i] = string(key)
	}
}

func catchesAll(h canon.Handler) bool { return h.Catch == "" || h.Catch == throwable }

// place makes the nodes of the instructions.
func (c *coder) place() {
	c.node, c.returns = make([]int32, len(c.list)), make([]int32, len(c.list))
	for i := range c.list {
		c.node[i], c.returns[i] = -1, -1
		in := &c.list[i]
		if in.Op == bytecode.Goto && c.final(i) != i {
			continue
		}
		n := node{in.Digest, Plain, int32(i)}
		switch in.Op {
		case bytecode.Tableswitch, bytecode.Lookupswitch:
			n.word = switchWord
		case bytecode.Invokevirtual, bytecode.Invokespecial, bytecode.Invokestatic, bytecode.Invokeinterface:
			n.kind = Call
		}
		c.node[i] = c.add(n)
		if n.kind == Call {
			c.returns[i] = c.add(node{returnWord, Return, int32(i)})
		}
		c.use(i)
	}
}

// final is where control is after the gotos at an instruction; the instruction itself if they lead nowhere else.
func (c *coder) final(i int) int {
	at := i
	for range c.list {
		if c.list[at].Op != bytecode.Goto {
			return at
		}
		at = c.list[at].Targets[0]
	}
	return i
}

// use notes what an instruction needs from other classes.
func (c *coder) use(i int) {
	in, pool := &c.code[i], &c.file.Pool
	u := use{node: c.node[i], op: in.Op}
	index := uint16(in.Index)
	ok := false
	switch in.Op {
	case bytecode.New, bytecode.Anewarray, bytecode.Multianewarray, bytecode.Checkcast, bytecode.Instanceof:
		u.class, ok = pool.Class(index)
	case bytecode.Getfield, bytecode.Putfield, bytecode.Getstatic, bytecode.Putstatic,
		bytecode.Invokevirtual, bytecode.Invokespecial, bytecode.Invokestatic, bytecode.Invokeinterface:
		u.ref, ok = pool.Ref(index)
	case bytecode.Ldc, bytecode.LdcW, bytecode.Ldc2W:
		u.class, ok = pool.Class(index)
		c.loaded(u.node, index)
	case bytecode.Invokedynamic:
		_, u.class, ok = pool.NameAndType(pool.At(index).B) // the descriptor, whose result is what is made
		c.loaded(u.node, index)
	}
	if ok {
		c.uses = append(c.uses, u)
	}
}

// loaded notes the methods that a loadable constant has handles of: what gets the handle may call them.
func (c *coder) loaded(at int32, index uint16) {
	seen := map[uint16]bool{}
	n := 0
	var look func(index uint16)
	look = func(index uint16) {
		if seen[index] {
			return
		}
		seen[index] = true
		k := c.file.Pool.At(index)
		switch k.Tag {
		case classfile.TagMethodHandle:
			if op, ok := handleOps[k.A]; ok {
				if ref, ok := c.file.Pool.Ref(k.B); ok {
					c.uses = append(c.uses, use{node: at, op: op, ref: ref, label: "handle " + strconv.Itoa(n)})
					n++
				}
			}
		case classfile.TagDynamic, classfile.TagInvokeDynamic:
			boots, err := classfile.ValueOf[*classfile.BootstrapMethods](c.file, c.file.Attributes, "BootstrapMethods", classfile.InClass)
			if err != nil || boots == nil || int(k.A) >= len(boots.Methods) {
				return // a class that no JVM links
			}
			m := boots.Methods[k.A]
			look(m.Handle)
			for _, arg := range m.Arguments {
				look(arg)
			}
		}
	}
	look(index)
}

// handleOps are the calls that method handles stand for.
var handleOps = map[uint16]bytecode.Op{5: bytecode.Invokevirtual, 6: bytecode.Invokestatic, 7: bytecode.Invokespecial, 8: bytecode.Invokespecial, 9: bytecode.Invokeinterface}

// connect makes the edges of all instructions.
func (c *coder) connect() {
	c.edge(entry, Next, c.enter("", 0))
	for i := range c.list {
		from := c.node[i]
		if from < 0 {
			continue
		}
		if r := c.returns[i]; r >= 0 {
			c.edge(from, Path, r)
			from = r
		}
		c.leave(i, from)
	}
}

// leave makes the edges of one instruction.
func (c *coder) leave(i int, from int32) {
	in := &c.list[i]
	lead := func(label string, to int) { c.edge(from, label, c.enter(c.regions[i], to)) }
	switch {
	case in.Op == bytecode.Tableswitch || in.Op == bytecode.Lookupswitch:
		c.arms(in, lead)
	case in.Op == bytecode.Goto, in.Op == bytecode.Jsr:
		lead(Next, in.Targets[0])
	case in.Op == bytecode.Ret:
		c.back(lead)
	case len(in.Targets) == 1:
		lead(True, in.Targets[0])
		lead(False, i+1)
	case in.Op == bytecode.Athrow:
		c.edge(from, Raised, c.chain(c.regions[i]))
	case in.Op.IsReturn():
		c.edge(from, Next, exit)
	case i+1 < len(c.list):
		lead(Next, i+1)
	}
}

// arms makes the edges of a switch. A case that leads where the default leads is the default.
func (c *coder) arms(in *canon.Instruction, lead func(string, int)) {
	def := in.Targets[len(in.Targets)-1]
	seen := map[int]bool{}
	for k, key := range in.Keys {
		if in.Targets[k] != def && !seen[key] {
			seen[key] = true
			lead(strconv.Itoa(key), in.Targets[k])
		}
	}
	lead(Default, def)
}

// back makes the edges of ret: behind every jsr, since which one called is not looked into.
func (c *coder) back(lead func(string, int)) {
	for j := range c.list {
		if c.list[j].Op == bytecode.Jsr && j+1 < len(c.list) {
			lead("ret "+strconv.Itoa(j), j+1)
		}
	}
}

// enter is the node that control reaches at an instruction when it comes from where some handlers were in force.
func (c *coder) enter(region string, to int) int32 {
	to = c.final(to)
	if c.regions[to] == region || c.literal && c.regions[to] == "" {
		return c.node[to]
	}
	if t, ok := c.tries[to]; ok {
		return t
	}
	word := tryWord
	if c.regions[to] == "" {
		word = endWord
	}
	t := c.add(node{word, Try, int32(to)})
	c.tries[to] = t
	c.edge(t, Next, c.node[to])
	c.edge(t, Raised, c.chain(c.regions[to]))
	return t
}

// chain is the first of the catch nodes for some handlers, or the exceptional exit.
func (c *coder) chain(region string) int32 {
	if region == "" {
		return throwExit
	}
	if n, ok := c.chains[region]; ok {
		return n
	}
	h := c.handlers[int(region[0])<<8|int(region[1])]
	what := h.Catch
	if what == "" {
		what = "any"
	}
	n := c.add(node{wordOf("catch", what), Catch, int32(h.To)})
	c.chains[region] = n
	c.edge(n, Caught, c.enter("", h.To))
	if !catchesAll(h) {
		c.edge(n, Raised, c.chain(region[2:]))
	}
	return n
}
