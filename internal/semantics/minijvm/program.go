package minijvm

import (
	"fmt"
	"slices"
)

// A Type is the type of a value: [Void], [Boolean], [Int], the type of null, or a class.
// Printed form: `void`, `boolean`, `int`, `null`, or the name of the class.
type Type int16

// The types that are not classes. [Unusable] is what the verifier knows of a local that may hold anything.
const (
	Void Type = -1 - iota
	Boolean
	Int
	NullType
	Unusable
)

// ClassType is the type of references to a class.
func ClassType(c ClassID) Type { return Type(c) }

// Class returns the class of a class type.
func (t Type) Class() (ClassID, bool) { return ClassID(t), t >= 0 }

// A Value is unit, null, a boolean, an integer or an address of the heap.
// Printed form: `unit`, `null`, `true`, `7`, `@7`.
type Value uint64

const (
	kindUnit = iota << 32
	kindNull
	kindBool
	kindInt
	kindAddr
)

// The values that have no number in them.
const (
	Unit  Value = kindUnit
	Null  Value = kindNull
	False Value = kindBool
	True  Value = kindBool | 1
)

// IntValue returns an integer.
func IntValue(i int32) Value { return kindInt | Value(uint32(i)) }

// AddrValue returns a reference to the object at an address.
func AddrValue(a int) Value { return kindAddr | Value(uint32(a)) }

// BoolValue returns a boolean.
func BoolValue(b bool) Value {
	if b {
		return True
	}
	return False
}

func (v Value) kind() Value { return v &^ (1<<32 - 1) }

// Int returns the integer in v, if it is one.
func (v Value) Int() (int32, bool) { return int32(uint32(v)), v.kind() == kindInt }

// Addr returns the address in v, if it is one.
func (v Value) Addr() (int, bool) { return int(uint32(v)), v.kind() == kindAddr }

func (v Value) String() string {
	switch v.kind() {
	case kindUnit:
		return "unit"
	case kindNull:
		return "null"
	case kindBool:
		return fmt.Sprint(v == True)
	case kindInt:
		return fmt.Sprint(int32(uint32(v)))
	}
	return fmt.Sprintf("@%d", uint32(v))
}

// Default returns the value that a field of the type starts with.
func (t Type) Default() Value {
	switch t {
	case Void:
		return Unit
	case Boolean:
		return False
	case Int:
		return IntValue(0)
	}
	return Null
}

// An Op says what an instruction does.
type Op uint8

// The instructions, with the fields of [Instr] that they use. Their printed form is the name and these fields, in this order.
const (
	Load         Op = iota // N: push a local
	Store                  // N: pop into a local
	Push                   // V: push a constant that is not an address
	New                    // C: push a new object
	Getfield               // F C: pop an object, push its field
	Putfield               // F C: pop a value and an object, set its field
	Getstatic              // C F D: push a static field that C sees, in D
	Putstatic              // C F D: pop into a static field that C sees, in D
	Checkcast              // C: raise ClassCast unless the top is null or an instance of C
	Invoke                 // F N: call the method F of the object below N arguments
	Invokestatic           // C F N: call the static method F that C sees, with N arguments
	Return                 // leave the method with the top of the stack
	Pop                    // drop the top
	IAdd                   // add two integers
	Goto                   // N: jump, relative to this instruction
	CmpEq                  // pop two values, push whether they are equal
	IfFalse                // N: pop a boolean and jump, relative to this instruction, if it is false
	Throw                  // raise the object on top
	ops
)

var opNames = [ops]string{"Load", "Store", "Push", "New", "Getfield", "Putfield", "Getstatic", "Putstatic", "Checkcast", "Invoke", "Invokestatic", "Return", "Pop",
	"IAdd", "Goto", "CmpEq", "IfFalse", "Throw"}

func (o Op) String() string {
	if o < ops {
		return opNames[o]
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// An Instr is one instruction; see the list of [Op] for the fields that each uses. The others are zero.
// Printed form: `Getstatic C f D`.
type Instr struct {
	Op   Op
	C, D ClassID
	F    MemberID
	N    int32
	V    Value
}

// A Handler is a row of an exception table: an exception of class Catch raised at From ≤ pc < To continues at At, with the operand stack cut to Depth values and the
// exception on top. Printed form: `catch NullPointer from 0 to 2 at 5 depth 0`.
type Handler struct {
	Catch               ClassID
	From, To, At, Depth int32
}

// A Field is a field that a class declares. Printed form: `field static int f`.
type Field struct {
	Name   MemberID
	Static bool
	Type   Type
}

// A Method is a method that a class declares. Locals counts the locals beside `this` and the parameters.
type Method struct {
	Name          MemberID
	Static        bool
	Params        []Type
	Result        Type
	Stack, Locals int32
	Code          []Instr
	Handlers      []Handler
}

// inputs is the number of locals that a call fills.
func (m *Method) inputs() int {
	if m.Static {
		return len(m.Params)
	}
	return len(m.Params) + 1
}

// Equal tells whether two methods are the same in everything.
func (m *Method) Equal(o *Method) bool {
	return m.Name == o.Name && m.Static == o.Static && slices.Equal(m.Params, o.Params) && m.Result == o.Result && m.Stack == o.Stack && m.Locals == o.Locals &&
		slices.Equal(m.Code, o.Code) && slices.Equal(m.Handlers, o.Handlers)
}

// A Class is a class with what it declares. Fields and methods are in order of their names' numbers, because their order means nothing. A class that is part of a
// program is never altered; a change makes a new one.
type Class struct {
	Name, Super ClassID
	Fields      []Field
	Methods     []Method
}

// Sort puts fields and methods into order.
func (c *Class) Sort() {
	slices.SortStableFunc(c.Fields, func(a, b Field) int { return int(a.Name) - int(b.Name) })
	slices.SortStableFunc(c.Methods, func(a, b Method) int { return int(a.Name) - int(b.Name) })
}

// Equal tells whether two classes are the same in everything.
func (c *Class) Equal(d *Class) bool {
	if c == nil || d == nil {
		return c == d
	}
	return c == d || c.Name == d.Name && c.Super == d.Super && slices.Equal(c.Fields, d.Fields) &&
		slices.EqualFunc(c.Methods, d.Methods, func(a, b Method) bool { return a.Equal(&b) })
}

// Field returns the field that the class itself declares.
func (c *Class) Field(f MemberID) *Field {
	for i := range c.Fields {
		if c.Fields[i].Name == f {
			return &c.Fields[i]
		}
	}
	return nil
}

// Method returns the method that the class itself declares.
func (c *Class) Method(m MemberID) *Method {
	for i := range c.Methods {
		if c.Methods[i].Name == m {
			return &c.Methods[i]
		}
	}
	return nil
}

// Clone returns a copy that can be altered.
func (c *Class) Clone() *Class {
	d := &Class{Name: c.Name, Super: c.Super, Fields: slices.Clone(c.Fields), Methods: slices.Clone(c.Methods)}
	for i := range d.Methods {
		m := &d.Methods[i]
		m.Params, m.Code, m.Handlers = slices.Clone(m.Params), slices.Clone(m.Code), slices.Clone(m.Handlers)
	}
	return d
}

// A Program is a set of classes with different names. It is never altered by a run. Programs are made with [NewProgram] and the methods that return new ones.
type Program struct {
	Names   *Names
	classes [MaxClasses]*Class
	above   [MaxClasses]Set
	present Set
}

// NewProgram returns a program with the given classes and, where they are not among them, the built-in ones: Object, the system exceptions, Start.
func NewProgram(names *Names, classes ...*Class) *Program {
	p := &Program{Names: names}
	for _, c := range library {
		p.classes[c.Name] = c
	}
	for _, c := range classes {
		p.classes[c.Name] = c
	}
	p.seal()
	return p
}

// seal computes what is derived from the classes.
func (p *Program) seal() {
	p.present = 0
	for id := range p.Names.Classes() {
		if p.classes[id] != nil {
			p.present |= 1 << id
		}
	}
	for s := p.present; s != 0; {
		var c ClassID
		c, s = s.First()
		p.above[c] = p.climb(c)
	}
}

// climb collects a class and its superclasses; a missing class or a cycle ends it.
func (p *Program) climb(c ClassID) Set {
	var s Set
	for c < MaxClasses && p.classes[c] != nil && !s.Has(c) {
		s |= 1 << c
		c = p.classes[c].Super
	}
	return s
}

// Class returns a class, or nil if the program has none of this name.
func (p *Program) Class(c ClassID) *Class {
	if c >= MaxClasses {
		return nil
	}
	return p.classes[c]
}

// Present returns the classes that the program has.
func (p *Program) Present() Set { return p.present }

// Above returns c and all its superclasses.
func (p *Program) Above(c ClassID) Set {
	if c >= MaxClasses || !p.present.Has(c) {
		return 0
	}
	return p.above[c]
}

// Subclass tells whether c is d or below it.
func (p *Program) Subclass(c, d ClassID) bool { return p.Above(c).Has(d) }

// With returns the program with c in place of the class of this name, or added.
func (p *Program) With(c *Class) *Program {
	q := &Program{}
	q.Assign(p, c.Name, c)
	return q
}

// Without returns the program without a class. A built-in class gets its built-in form.
func (p *Program) Without(id ClassID) *Program {
	q := &Program{}
	q.Assign(p, id, builtIn(id))
	return q
}

// Assign makes q the program p with one class replaced, added, or removed (nil). It reuses q, for loops over many programs.
func (q *Program) Assign(p *Program, id ClassID, c *Class) {
	*q = *p
	q.classes[id] = c
	q.seal()
}

// Changed returns the classes that differ between two programs over the same names.
func (p *Program) Changed(q *Program) Set {
	var s Set
	for all := p.present | q.present; all != 0; {
		var c ClassID
		c, all = all.First()
		if !p.classes[c].Equal(q.classes[c]) {
			s |= 1 << c
		}
	}
	return s
}

// SeesField returns the field that c sees under a name, and the class that declares it; nil if it sees none.
func (p *Program) SeesField(c ClassID, f MemberID) (*Field, ClassID) {
	for range MaxClasses {
		k := p.Class(c)
		if k == nil {
			break
		}
		if field := k.Field(f); field != nil {
			return field, c
		}
		c = k.Super
	}
	return nil, NoClass
}

// SeesMethod returns the method that c sees under a name, and the class that declares it; nil if it sees none.
func (p *Program) SeesMethod(c ClassID, m MemberID) (*Method, ClassID) {
	for range MaxClasses {
		k := p.Class(c)
		if k == nil {
			break
		}
		if method := k.Method(m); method != nil {
			return method, c
		}
		c = k.Super
	}
	return nil, NoClass
}
