package minijvm

import "fmt"

// The sizes that a method may have.
const (
	MaxStack  = 255
	MaxLocals = 255
	MaxCode   = 1 << 15
)

// A Strength says what a well-formed program is.
type Strength uint8

const (
	// Paper is well-formedness as the paper has it: every class declares its own static initializer; a member that an instruction names exists, is static exactly if
	// the instruction wants it so, and is declared by the class that the instruction says.
	Paper Strength = iota
	// Missing lets a member that an instruction names be missing, be of the other kind, or be declared elsewhere, and lets a method hide one of the other kind. That is
	// what separate compilation can lead to, and what the errors of the machine are for. Classes must exist.
	Missing
)

func (s Strength) String() string { return [...]string{"paper", "missing"}[s] }

// A VerifyError says why a program is not well-formed.
type VerifyError struct {
	Names  *Names
	Class  ClassID
	Method MemberID // with PC ≥ -1
	PC     int32    // -1: the method as a whole, -2: the class as a whole
	Reason string
}

func (e *VerifyError) Error() string {
	switch e.PC {
	case -2:
		return fmt.Sprintf("class %s: %s", e.Names.Class(e.Class), e.Reason)
	case -1:
		return fmt.Sprintf("%s.%s: %s", e.Names.Class(e.Class), e.Names.Member(e.Method), e.Reason)
	}
	return fmt.Sprintf("%s.%s:%d: %s", e.Names.Class(e.Class), e.Names.Member(e.Method), e.PC, e.Reason)
}

// A Verifier checks programs, one after the other. The zero value is ready; it only keeps memory.
type Verifier struct {
	p        *Program
	strength Strength
	flow     flow
	typing   *Typing
}

// Verify checks that a program is well-formed and returns the types that the machine will find at each instruction. The error is a *VerifyError.
func Verify(p *Program, strength Strength) (*Typing, error) {
	v := Verifier{typing: &Typing{methods: map[typedMethod][]Types{}}}
	if err := v.Check(p, strength); err != nil {
		return nil, err
	}
	return v.typing, nil
}

// Check checks that a program is well-formed. The error is a *VerifyError.
func (v *Verifier) Check(p *Program, strength Strength) error {
	v.p, v.strength = p, strength
	for s := p.Present(); s != 0; {
		var c ClassID
		c, s = s.First()
		if err := v.class(p.classes[c]); err != nil {
			return err
		}
	}
	for s := p.Present(); s != 0; {
		var c ClassID
		c, s = s.First()
		if p.classes[c] == builtIn(c) {
			continue // known to be well-formed wherever the classes are
		}
		if err := v.methods(p.classes[c]); err != nil {
			return err
		}
	}
	return nil
}

func (v *Verifier) classFault(c *Class, reason string) error {
	return &VerifyError{v.p.Names, c.Name, 0, -2, reason}
}

// class checks a class apart from its code.
func (v *Verifier) class(c *Class) error {
	if c == builtIn(c.Name) {
		return nil
	}
	if err := v.position(c); err != nil {
		return err
	}
	for i, f := range c.Fields {
		switch {
		case i > 0 && c.Fields[i-1].Name >= f.Name:
			return v.classFault(c, "has two fields of one name, or fields out of order")
		case f.Type == Void || !v.isType(f.Type):
			return v.classFault(c, "has a field of a type that does not exist")
		}
	}
	for i := range c.Methods {
		if i > 0 && c.Methods[i-1].Name >= c.Methods[i].Name {
			return v.classFault(c, "has two methods of one name, or methods out of order")
		}
		if err := v.signature(c, &c.Methods[i]); err != nil {
			return err
		}
	}
	return v.duties(c)
}

// position checks the place of a class in the hierarchy.
func (v *Verifier) position(c *Class) error {
	switch {
	case c.Name == Start:
		return v.classFault(c, "is the class that runs the test and cannot be defined")
	case c.Name == Object && c.Super != NoClass:
		return v.classFault(c, "has a superclass")
	case c.Name != Object && v.p.Class(c.Super) == nil:
		return v.classFault(c, "has a superclass that does not exist")
	case !v.p.Above(c.Name).Has(Object):
		return v.classFault(c, "is its own superclass")
	}
	return nil
}

// duties checks what some classes must declare.
func (v *Verifier) duties(c *Class) error {
	if c.Method(Clinit) == nil {
		return v.classFault(c, "has no clinit")
	}
	main := c.Method(Main)
	if c.Name == Test && main == nil {
		return v.classFault(c, "has no main")
	}
	if main != nil && (c.Name == Test || c.Name == Object) && (!main.Static || len(main.Params) > 0 || main.Result != Void) {
		return v.classFault(c, "has a main that is not static void main()")
	}
	return nil
}

func (v *Verifier) isType(t Type) bool {
	if c, ok := t.Class(); ok {
		return v.p.Class(c) != nil
	}
	return t == Void || t == Boolean || t == Int
}

// signature checks what a method declares, and that it fits what it hides or overrides.
func (v *Verifier) signature(c *Class, m *Method) error {
	fault := func(reason string) error { return &VerifyError{v.p.Names, c.Name, m.Name, -1, reason} }
	for _, t := range m.Params {
		if t == Void || !v.isType(t) {
			return fault("has a parameter of a type that does not exist")
		}
	}
	switch {
	case !v.isType(m.Result):
		return fault("has a result of a type that does not exist")
	case m.Stack < 0 || m.Stack > MaxStack || m.Locals < 0 || int(m.Locals)+m.inputs() > MaxLocals || len(m.Code) > MaxCode:
		return fault("is too large")
	case m.Name == Clinit && (!m.Static || len(m.Params) > 0 || m.Result != Void):
		return fault("is not static void clinit()")
	case m.Name != Clinit && !v.fits(c, m):
		return fault("does not fit the method of this name that the superclass sees")
	}
	return nil
}

// fits compares a method with what it hides or overrides.
func (v *Verifier) fits(c *Class, m *Method) bool {
	for super := c.Super; super != NoClass; {
		o, d := v.p.SeesMethod(super, m.Name)
		if o == nil {
			return true
		}
		if v.strength == Paper {
			return m.Static == o.Static && sameSignature(m, o)
		}
		if !m.Static && !o.Static {
			return sameSignature(m, o) // what o overrides fits o
		}
		if m.Static {
			return true
		}
		super = v.p.classes[d].Super // a static method hides nothing from calls on objects
	}
	return true
}

func sameSignature(m, o *Method) bool {
	if m.Result != o.Result || len(m.Params) != len(o.Params) {
		return false
	}
	for i := range m.Params {
		if m.Params[i] != o.Params[i] {
			return false
		}
	}
	return true
}

// methods checks the code of a class.
func (v *Verifier) methods(c *Class) error {
	for i := range c.Methods {
		if err := v.flow.verify(v, c, &c.Methods[i]); err != nil {
			return err
		}
		if v.typing != nil {
			v.typing.add(c.Name, c.Methods[i].Name, v.flow.types())
		}
	}
	return nil
}
