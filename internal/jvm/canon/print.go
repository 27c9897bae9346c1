package canon

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// An Instruction is one normalized instruction of a body.
//
// Printed form: "invokevirtual p/A.m(I)V", "iload 1", "goto 12", "ldc \"text\"", "tableswitch 1:4 2:7 default:9".
type Instruction struct {
	Op      bytecode.Op
	Operand string        // readable; without branch targets
	Targets []int         // instructions that it may branch to; a switch has its default last
	Keys    []int         // of a switch, beside Targets
	Digest  digest.Digest // of operation, operands and keys, without targets
}

// String is the printed form.
func (in Instruction) String() string {
	words := []string{in.Op.String()}
	if in.Operand != "" {
		words = append(words, in.Operand)
	}
	for i, t := range in.Targets {
		switch {
		case i < len(in.Keys):
			words = append(words, fmt.Sprintf("%d:%d", in.Keys[i], t))
		case in.Op.Format() == bytecode.TableSwitch || in.Op.Format() == bytecode.LookupSwitch:
			words = append(words, fmt.Sprintf("default:%d", t))
		default:
			words = append(words, strconv.Itoa(t))
		}
	}
	return strings.Join(words, " ")
}

// A Handler is an entry of the exception table, in instruction numbers. End is the first instruction that it does not cover.
type Handler struct {
	Start, End, To int
	Catch          string // canonical class name; "" for any
}

// A Listing is a normalized body, for people and for comparing piece by piece.
type Listing struct {
	Instructions []Instruction
	Handlers     []Handler
}

// A Block is a run of instructions that is entered only at its start and left only at its end.
type Block struct {
	Start, End int // instructions, End excluded
	Digest     digest.Digest
}

// List gives the normalized body of a method, by its name and descriptor in the file. A method without code has an empty listing.
func (s *Set) List(class, name, desc string) (*Listing, error) {
	u, ok := s.units[class]
	if !ok {
		return nil, fmt.Errorf("class %s is not in the set", classfile.Text(class))
	}
	for i := range u.methods {
		m := &u.methods[i]
		if m.name != name || m.desc != desc {
			continue
		}
		if m.code == nil {
			return &Listing{}, nil
		}
		f := newForm(u, s)
		defer f.done()
		f.expand = true
		if err := u.body(f, m.code); err != nil {
			return nil, err
		}
		p := printer{b: f.b}
		l := p.listing()
		if p.bad {
			return nil, fmt.Errorf("class %s: method %s%s: the normal form cannot be printed", classfile.Text(class), classfile.Text(name), classfile.Text(desc))
		}
		return l, nil
	}
	return nil, fmt.Errorf("class %s has no method %s%s", classfile.Text(class), classfile.Text(name), classfile.Text(desc))
}

// Blocks cuts the listing where control can enter or leave.
func (l *Listing) Blocks() []Block {
	n := len(l.Instructions)
	leader := make([]bool, n+1)
	leader[0] = true
	for i, in := range l.Instructions {
		for _, t := range in.Targets {
			leader[t] = true
		}
		if len(in.Targets) > 0 || in.Op.Ends() {
			leader[i+1] = true
		}
	}
	for _, h := range l.Handlers {
		leader[h.Start], leader[h.End], leader[h.To] = true, true, true
	}
	var out []Block
	for start := 0; start < n; {
		end := start + 1
		for end < n && !leader[end] {
			end++
		}
		out = append(out, Block{Start: start, End: end, Digest: l.digest(start, end)})
		start = end
	}
	return out
}

func (l *Listing) digest(start, end int) digest.Digest {
	var b digest.Builder
	for _, in := range l.Instructions[start:end] {
		b.Add(in.Digest[:])
	}
	return b.Sum()
}

// A printer reads a normal form back. It mirrors instruction and its like; bad tells that it lost its way, which would be a mistake here.
type printer struct {
	b   []byte
	bad bool
}

func (p *printer) listing() *Listing {
	l := &Listing{}
	p.num() // max_stack
	p.num() // max_locals
	for !p.bad && len(p.b) > 0 && p.b[0] != endOfCode {
		l.Instructions = append(l.Instructions, p.instruction())
	}
	p.byte()
	for i := range l.Instructions {
		p.targets(&l.Instructions[i])
	}
	for range p.num() {
		h := Handler{Start: p.num(), End: p.num(), To: p.num(), Catch: p.word()}
		if p.bad {
			break
		}
		l.Handlers = append(l.Handlers, h)
	}
	p.bad = p.bad || len(p.b) > 0
	return l
}

func (p *printer) instruction() Instruction {
	start := p.b
	in := Instruction{Op: bytecode.Op(p.byte())}
	switch in.Op.Format() {
	case bytecode.Byte, bytecode.Short:
		in.Operand = strconv.Itoa(p.signed())
	case bytecode.ArrayType:
		in.Operand = arrayType(p.signed())
	case bytecode.Local:
		in.Operand = strconv.Itoa(p.num())
	case bytecode.Increment:
		in.Operand = fmt.Sprintf("%d %+d", p.num(), p.signed())
	case bytecode.TableSwitch, bytecode.LookupSwitch:
		for range p.num() {
			if p.bad {
				break
			}
			in.Keys = append(in.Keys, p.signed())
		}
	case bytecode.MultiArray:
		dims := p.byte()
		in.Operand = fmt.Sprintf("%s %d", p.operand(in.Op), dims)
	case bytecode.Pool1:
		in.Operand = p.loadable()
	case bytecode.Dynamic:
		p.take(2) // zeros
		in.Operand = p.dynamic()
	case bytecode.Interface:
		p.take(2) // the count follows from the descriptor
		in.Operand = p.operand(in.Op)
	case bytecode.Pool2:
		in.Operand = p.operand(in.Op)
	}
	in.Digest = digest.Of(start[:len(start)-len(p.b)])
	return in
}

// targets reads where an instruction may branch to; the normal form has a switch's default first, people want it last.
func (p *printer) targets(in *Instruction) {
	switch in.Op.Format() {
	case bytecode.Branch2:
		in.Targets = []int{p.num()}
	case bytecode.TableSwitch, bytecode.LookupSwitch:
		def := p.num()
		for range in.Keys {
			in.Targets = append(in.Targets, p.num())
		}
		in.Targets = append(in.Targets, def)
	}
}

func (p *printer) operand(op bytecode.Op) string {
	p.bad = p.byte() != inFull || p.bad // what is expanded names everything in full
	switch op {
	case bytecode.New, bytecode.Anewarray, bytecode.Checkcast, bytecode.Instanceof, bytecode.Multianewarray:
		return p.text()
	}
	return p.member()
}

func (p *printer) member() string {
	tag := classfile.Tag(p.byte())
	class, name, desc := p.text(), p.text(), p.text()
	switch tag {
	case classfile.TagFieldref:
		return class + "." + name + ":" + desc
	case classfile.TagInterfaceMethodref:
		return "interface " + class + "." + name + desc
	}
	return class + "." + name + desc
}

var handleKinds = [...]string{1: "getfield", "getstatic", "putfield", "putstatic", "invokevirtual", "invokestatic", "invokespecial", "newinvokespecial", "invokeinterface"}

func (p *printer) handle() string {
	kind := p.byte()
	if kind < 1 || int(kind) >= len(handleKinds) {
		p.bad = true
		return ""
	}
	return handleKinds[kind] + " " + p.member()
}

func (p *printer) loadable() string {
	switch tag := classfile.Tag(p.byte()); tag {
	case classfile.TagInteger:
		return strconv.Itoa(int(int32(p.bits(4))))
	case classfile.TagFloat:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(p.bits(4)))), 'g', -1, 32) + "f"
	case classfile.TagLong:
		return strconv.FormatInt(int64(p.bits(8)), 10) + "L"
	case classfile.TagDouble:
		return strconv.FormatFloat(math.Float64frombits(p.bits(8)), 'g', -1, 64) + "d"
	case classfile.TagString:
		return strconv.Quote(p.text())
	case classfile.TagClass:
		return "class " + p.text()
	case classfile.TagMethodType:
		return "type " + p.text()
	case classfile.TagMethodHandle:
		return "handle " + p.handle()
	case classfile.TagDynamic:
		p.num() // which of equal ones
		return "dynamic " + p.dynamic()
	}
	p.bad = true
	return ""
}

func (p *printer) dynamic() string {
	name, desc := p.text(), p.text()
	if p.byte() == 0 {
		return fmt.Sprintf("%s%s by a bootstrap method with digest %x", name, desc, p.take(digest.Size))
	}
	s := fmt.Sprintf("%s%s by %s", name, desc, p.handle())
	n := p.num()
	for i := range n {
		if p.bad {
			break
		}
		s += []string{", ", " with "}[b2i(i == 0)] + p.loadable()
	}
	return s
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func arrayType(code int) string {
	names := [...]string{4: "boolean", "char", "float", "double", "byte", "short", "int", "long"}
	if code >= 4 && code < len(names) {
		return names[code]
	}
	return strconv.Itoa(code)
}

func (p *printer) take(n int) []byte {
	if n < 0 || n > len(p.b) {
		p.bad, p.b = true, nil
		return make([]byte, max(0, min(n, 64)))
	}
	out := p.b[:n]
	p.b = p.b[n:]
	return out
}

func (p *printer) byte() byte { return p.take(1)[0] }

func (p *printer) bits(n int) uint64 {
	v := uint64(0)
	for _, b := range p.take(n) {
		v = v<<8 | uint64(b)
	}
	return v
}

func (p *printer) num() int {
	v, n := binary.Uvarint(p.b)
	p.take(max(n, 1))
	return int(v)
}

func (p *printer) signed() int {
	v, n := binary.Varint(p.b)
	p.take(max(n, 1))
	return int(v)
}

func (p *printer) word() string {
	n := p.num()
	if n >= longText {
		return fmt.Sprintf("text of %d bytes with digest %x", n, p.take(digest.Size))
	}
	return string(p.take(n))
}

func (p *printer) text() string { return classfile.Text(p.word()) }
