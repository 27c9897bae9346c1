package evolve

import (
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// A Constraint says which programs of the bounded space are wanted. All have three classes in one or two packages; how many methods and fields they have belongs to the constraint, as
// in the paper's runs (its Table IV shows no field to copy under JD2, for example).
type Constraint struct {
	ID, Summary     string
	methods, fields int
	holds           func(*shape) bool
}

// Constraints lists JD1 to JD10 in this order.
func Constraints() []Constraint {
	return []Constraint{
		{"JD1", "no constraint", 3, 2, func(*shape) bool { return true }},
		{"JD2", "a class with a method and a superclass", 4, 0, func(s *shape) bool { return s.any(s.hasMethod, s.hasSuper) }},
		{"JD3", "a class with a method and a subclass", 4, 0, func(s *shape) bool { return s.any(s.hasMethod, s.hasSub) }},
		{"JD4", "a class with a field and a superclass", 1, 2, func(s *shape) bool { return s.any(s.hasField, s.hasSuper) }},
		{"JD5", "a class with a method and a field", 2, 1, func(s *shape) bool { return s.any(s.hasMethod, s.hasField) }},
		{"JD6", "some inheritance", 3, 0, func(s *shape) bool { return s.any(s.hasSuper) }},
		{"JD7", "some method", 3, 0, func(s *shape) bool { return s.any(s.hasMethod) }},
		{"JD8", "some field", 1, 2, func(s *shape) bool { return s.any(s.hasField) }},
		{"JD9", "some caller", 3, 0, func(s *shape) bool { return s.body(callUnqualified, callNew) }},
		{"JD10", "some field and some access to it", 3, 1, func(s *shape) bool { return s.body(fieldUnqualified, fieldNew) }},
	}
}

// A bodyKind is what a method returns.
type bodyKind int

const (
	constant bodyKind = iota
	callUnqualified
	callThis
	callSuper
	callNew
	instanceOf
	fieldUnqualified // from here on only where there are fields
	fieldThis
	fieldSuper
	fieldNew
)

// A shape is a program of the bounded space.
type shape struct {
	packages [3]int
	supers   [3]int // index of the superclass, -1 for none
	methods  []methodShape
	fields   []fieldShape
}

type methodShape struct {
	owner, name, params, access int
	body                        bodyKind
}

type fieldShape struct{ owner, name, kind, access int }

var (
	classNames  = [3]string{"A", "B", "C"}
	methodNames = [2]string{"m", "k"}
	fieldNames  = [2]string{"f", "g"}
	accesses    = [4]string{"public", "protected", "", "private"}
	paramTypes  = [3]string{"", "int", "long"}
	spreads     = [4][3]int{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}} // of classes over packages
)

// digits takes a number apart, the lowest digit first.
type digits uint64

func (d *digits) next(radix int) int {
	v := uint64(*d) % uint64(radix)
	*d = digits(uint64(*d) / uint64(radix))
	return int(v)
}

// bodies is how many kinds of bodies there are.
func (c *Constraint) bodies() int {
	if c.fields == 0 {
		return int(fieldUnqualified)
	}
	return int(fieldNew) + 1
}

// methodAccesses is how many kinds of access a method can have: the first ones are such that tests or subclasses can call them.
func methodAccesses(i int) int {
	if i < 2 {
		return 2
	}
	return len(accesses)
}

// size is how many programs the space has before those that are no programs at all are left out.
func (c *Constraint) size() uint64 {
	n := uint64(len(spreads) * 27)
	for range c.fields {
		n *= uint64(3 * len(fieldNames) * 3 * len(accesses))
	}
	for i := range c.methods {
		n *= uint64(3 * len(methodNames) * len(paramTypes) * methodAccesses(i) * c.bodies())
	}
	return n
}

// shape makes the program with a number. The lowest digits are those of bodies, so that neighbours differ in one.
func (c *Constraint) shape(n uint64) *shape {
	d := digits(n)
	s := &shape{methods: make([]methodShape, c.methods), fields: make([]fieldShape, c.fields)}
	for i := range s.methods {
		s.methods[i].body = bodyKind(d.next(c.bodies()))
	}
	for i := range s.methods {
		m := &s.methods[i]
		m.access, m.params, m.name, m.owner = d.next(methodAccesses(i)), d.next(len(paramTypes)), d.next(len(methodNames)), d.next(3)
	}
	for i := range s.fields {
		f := &s.fields[i]
		f.access, f.kind, f.name, f.owner = d.next(len(accesses)), d.next(3), d.next(len(fieldNames)), d.next(3)
	}
	for i := range s.supers {
		s.supers[i] = [3][3]int{{-1, 1, 2}, {-1, 0, 2}, {-1, 0, 1}}[i][d.next(3)]
	}
	s.packages = spreads[d.next(len(spreads))]
	return s
}

// proper tells whether a shape is a program at all: no class above itself, no two members of the same signature, nothing named where it is not declared. Everything else, above all access,
// is for the compiler to say.
func (s *shape) proper() bool { return s.declared() && s.resolved() }

// resolved tells whether the method or field that each body names is there: in the class or above, or above only, as it is named.
func (s *shape) resolved() bool {
	for i, m := range s.methods {
		from, to := m.owner, s.methods[(i+1)%len(s.methods)].owner
		if m.body >= fieldUnqualified {
			to = s.fields[i%len(s.fields)].owner
		}
		switch m.body {
		case callUnqualified, callThis, fieldUnqualified, fieldThis:
		case callSuper, fieldSuper:
			from = s.supers[from]
		default:
			continue
		}
		for from >= 0 && from != to {
			from = s.supers[from]
		}
		if from < 0 {
			return false
		}
	}
	return true
}

func (s *shape) declared() bool {
	for i := range s.supers {
		at := i
		for range s.supers {
			if at = s.supers[at]; at < 0 {
				break
			}
		}
		if at >= 0 {
			return false
		}
	}
	seen := map[[4]int]bool{}
	for _, m := range s.methods {
		key := [4]int{0, m.owner, m.name, m.params}
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	for _, f := range s.fields {
		key := [4]int{1, f.owner, f.name}
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// any tells whether one class has all of some properties.
func (s *shape) any(has ...func(class int) bool) bool {
	for class := range classNames {
		all := true
		for _, h := range has {
			all = all && h(class)
		}
		if all {
			return true
		}
	}
	return false
}

func (s *shape) hasSuper(class int) bool { return s.supers[class] >= 0 }

func (s *shape) hasSub(class int) bool {
	return s.supers[0] == class || s.supers[1] == class || s.supers[2] == class
}

func (s *shape) hasMethod(class int) bool {
	for _, m := range s.methods {
		if m.owner == class {
			return true
		}
	}
	return false
}

func (s *shape) hasField(class int) bool {
	for _, f := range s.fields {
		if f.owner == class {
			return true
		}
	}
	return false
}

// body tells whether some method has a body of a range of kinds.
func (s *shape) body(from, to bodyKind) bool {
	for _, m := range s.methods {
		if m.body >= from && m.body <= to {
			return true
		}
	}
	return false
}

func (s *shape) full(class int) string {
	return fmt.Sprintf("p%d.%s", s.packages[class]+1, classNames[class])
}

// program is the shape as declarations.
func (s *shape) program() *Program {
	p := &Program{}
	for i, name := range classNames {
		c := &Class{Package: fmt.Sprintf("p%d", s.packages[i]+1), Modifiers: []string{"public"}, Kind: ClassKind, Name: name}
		if s.supers[i] >= 0 {
			c.Extends = s.full(s.supers[i])
		}
		p.Classes = append(p.Classes, c)
	}
	for i, f := range s.fields {
		c := p.Classes[f.owner]
		c.Members = append(c.Members, s.field(i, f))
	}
	for i, m := range s.methods {
		c := p.Classes[m.owner]
		c.Members = append(c.Members, s.method(i, m))
	}
	return p.sorted()
}

func access(n int) []string {
	if accesses[n] == "" {
		return nil
	}
	return []string{accesses[n]}
}

func (s *shape) field(i int, f fieldShape) *Member {
	m := &Member{Kind: FieldMember, Modifiers: access(f.access), Name: fieldNames[f.name]}
	switch f.kind {
	case 0:
		m.Type, m.Init = "int", strconv.Itoa(10+i)
	case 1:
		m.Type, m.Init = "long", strconv.Itoa(10+i)
	default:
		m.Type, m.Init = s.full((f.owner+1)%3), "null"
	}
	return m
}

func (s *shape) method(i int, m methodShape) *Member {
	out := &Member{Kind: MethodMember, Modifiers: access(m.access), Type: "long", Name: methodNames[m.name], HasBody: true}
	if paramTypes[m.params] != "" {
		out.Params = []Param{{paramTypes[m.params], "a"}}
	}
	out.Body = []string{"return " + s.returns(i, m) + ";"}
	return out
}

// returns is the expression of a method. The method that it calls is the next one, so that calls may go round; the field is the one with its number.
func (s *shape) returns(i int, m methodShape) string {
	if m.body == constant {
		return strconv.Itoa(20 + i)
	}
	if m.body == instanceOf {
		return fmt.Sprintf("((Object) new %s()) instanceof %s ? 1 : 0", s.full((m.owner+1)%3), s.full((m.owner+i+2)%3))
	}
	before := [...]string{"", "this.", "super.", ""}
	if m.body >= fieldUnqualified {
		f := s.fields[i%len(s.fields)]
		before[3] = "new " + s.full(f.owner) + "()."
		name := before[m.body-fieldUnqualified] + fieldNames[f.name]
		if f.kind == 2 {
			return name + " == null ? 0 : 1"
		}
		return name
	}
	to := s.methods[(i+1)%len(s.methods)]
	before[3] = "new " + s.full(to.owner) + "()."
	args := [...]string{"", strconv.Itoa(2), strconv.Itoa(3) + "L"}[to.params]
	return before[m.body-callUnqualified] + methodNames[to.name] + "(" + args + ")"
}

// neighbours is how many programs with consecutive numbers follow one another.
const neighbours = 2

// numbers walks all numbers below n, each once: blocks of neighbours, the blocks in an order that the seed gives.
func numbers(n, seed uint64) iter.Seq[uint64] {
	blocks := (n + neighbours - 1) / neighbours
	step := coprime(blocks, seed)
	return func(yield func(uint64) bool) {
		block := seed % blocks
		for range blocks {
			for k := uint64(0); k < neighbours && block*neighbours+k < n; k++ {
				if !yield(block*neighbours + k) {
					return
				}
			}
			sum, carry := bits.Add64(block, step, 0)
			block = bits.Rem64(carry, sum, blocks)
		}
	}
}

// mix makes a seed of a seed and a name, so that constraints with the same space walk it in different orders.
func mix(seed uint64, name string) uint64 {
	for _, b := range []byte(name) {
		seed = (seed ^ uint64(b)) * 0x100000001b3 // FNV-1a
	}
	return seed
}

// coprime is a step that meets every block before it meets one twice. It is near the golden section, so that the blocks of a short walk lie far apart.
func coprime(n, seed uint64) uint64 {
	const golden = 0x9e3779b97f4a7c15
	high, _ := bits.Mul64(n, golden)
	step := max(high+seed%(n/16+1), 1)
	for gcd(step, n) != 1 {
		step++
	}
	return step % max(n, 1)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Programs walks the programs that fulfil the constraint, each once, numbered from 0. The walk is exhaustive; whoever wants the paper's bound stops after 400.
func (c Constraint) Programs(seed uint64) iter.Seq2[int, *Program] {
	return func(yield func(int, *Program) bool) {
		count := 0
		seen := map[string]bool{}
		for n := range numbers(c.size(), mix(seed, c.ID)) {
			s := c.shape(n)
			if !s.proper() || !c.holds(s) {
				continue
			}
			p := s.program()
			if text := p.text(); !seen[text] {
				seen[text] = true
				if !yield(count, p) {
					return
				}
				count++
			}
		}
	}
}

// text is the whole program in one string, for comparison.
func (p *Program) text() string {
	var b strings.Builder
	for _, c := range p.Classes {
		b.WriteString(c.String())
	}
	return b.String()
}
