package state

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// A Class is what this package has to know of a class file. ReadClass makes one.
type Class struct {
	Name       string // internal name, as all names of classes here
	Super      string
	Interfaces []string
	Fields     []Field
	Methods    []Body
	// Annotations are the types of those that reflection shows on the class.
	Annotations []string
	Depends     Dependencies
}

// A Field is a declared field.
type Field struct {
	Name, Descriptor string
	Signature        string // its generic type; the descriptor if it has none
	Static, Final    bool
	Empty            bool   // what the initializer puts there never changes: an empty array, or a collection that refuses changes
	Bare             bool   // it is Empty, and there is nothing in it
	Made             string // it is static and final, and this is the class of the object that the initializer makes for it; "" if that is not known
}

// A Body is a declared method and what its instructions name.
type Body struct {
	Name, Descriptor string
	Static, Native   bool
	Reads, Writes    []Member // fields
	Given            []Member // those of Writes that it does not only set to constants
	Calls            []Member // methods, those of method handles among them
	Functions        []Function
	News             []string // classes of which it makes objects
	Names            []string // all classes that it names
	Branches         bool     // it has a jump on a condition, a switch or an exception handler
	Stores           Elements // it writes elements of such arrays
	Texts            []string // in a body that looks for handles of fields: the texts that it has
	Observes         bool     // it takes a stream of java.lang.System for an object: its class, or which one it is
	Onces            []Once   // static fields with which it does not count
	Flow             *Flow    // where its references go; nil in libraries, and if it has none
}

// Elements are kinds of array elements, one bit for each of iastore, lastore and so on in the order of their operation codes.
type Elements uint8

// elementsOf is the kind of the elements of an array type.
func elementsOf(array string) Elements {
	if i := strings.IndexByte("IJFD_BCS", array[1]); i >= 0 {
		return 1 << i
	}
	if array[1] == 'Z' {
		return 1 << 5
	}
	return 1 << 4
}

// A Member is a reference to a field or method.
type Member struct {
	Class, Name, Descriptor string
	Static                  bool // getstatic, putstatic, invokestatic
	Special                 bool // invokespecial: the call has one target
}

// A Function is an object that a call site makes of a method, such as a lambda expression.
type Function struct {
	Interface string   // the type of the object
	Name      string   // the interface's method
	Target    Member   // what it calls
	Captures  []string // types of what it keeps
	On        []string // the classes of the objects that Target is called on, if the body makes them all; nil if they are not known
	site      uint16   // the constant of the call site
}

// ReadClass reads a class file of the project.
func ReadClass(data []byte) (*Class, error) { return readClass(data, true) }

// ReadLibraryClass reads a class file of a library or of the JDK: its bodies have no flows.
func ReadLibraryClass(data []byte) (*Class, error) { return readClass(data, false) }

func readClass(data []byte, flows bool) (*Class, error) {
	from, err := classfile.Read(data)
	if err != nil {
		return nil, err
	}
	c := &Class{Name: from.Name(), Super: from.SuperName(), Interfaces: from.InterfaceNames()}
	for i := range from.Fields {
		f := &from.Fields[i]
		name, descriptor := from.MemberName(f)
		signature, err := genericType(from, f, descriptor)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", c.Name, name, err)
		}
		c.Fields = append(c.Fields, Field{Name: name, Descriptor: descriptor, Signature: signature, Static: f.Access&classfile.Static != 0, Final: f.Access&classfile.Final != 0})
	}
	r := &bodyReader{class: from, flows: flows && follows(from.Name())}
	if err := r.bootstraps(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	for i := range from.Methods {
		m := &from.Methods[i]
		b, err := r.body(m)
		if err != nil {
			return nil, fmt.Errorf("%s.%s%s: %w", c.Name, b.Name, b.Descriptor, err)
		}
		c.Methods = append(c.Methods, b)
	}
	c.frozen(r.fixed)
	if c.Annotations, err = annotations(from); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	if c.Depends, err = dependencies(from); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	return c, nil
}

// genericType is the signature of a field.
func genericType(c *classfile.Class, f *classfile.Member, descriptor string) (string, error) {
	v, err := classfile.ValueOf[*classfile.Signature](c, f.Attributes, "Signature", classfile.InField)
	if v == nil || err != nil {
		return descriptor, err
	}
	if text, ok := c.Pool.UTF8(v.Text); ok {
		return text, nil
	}
	return descriptor, nil
}

// annotations lists the types of a class's annotations that there are at run time.
func annotations(c *classfile.Class) ([]string, error) {
	v, err := classfile.ValueOf[*classfile.Annotations](c, c.Attributes, "RuntimeVisibleAnnotations", classfile.InClass)
	if v == nil || err != nil {
		return nil, err
	}
	var out []string
	for _, a := range v.List {
		if name, ok := c.Pool.UTF8(a.Type); ok {
			out = append(out, fieldClass(name))
		}
	}
	return out, nil
}

// saysInstance tells whether a class has Jupiter's annotation about the life of its objects.
func (c *Class) saysInstance() bool {
	return slices.Contains(c.Annotations, "org/junit/jupiter/api/TestInstance")
}

// A bodyReader reads the bodies of one class.
type bodyReader struct {
	class    *classfile.Class
	flows    bool // references are followed
	methods  []classfile.BootstrapMethod
	into     *Body
	err      error        // of the body: a reference that leads nowhere
	seen     map[any]bool // of the body: each thing is noted once
	last     [2]bytecode.Instruction
	byHandle bool             // of the body: it has a method handle that writes a field
	listed   int              // lists in braces of new arrays in which an element is being computed
	fixed    map[Member]fixed // static fields that the initializer writes
}

func (r *bodyReader) bootstraps() error {
	a := r.class.Find(r.class.Attributes, "BootstrapMethods")
	if a == nil {
		return nil
	}
	v, err := a.Value(&r.class.Pool, classfile.InClass)
	if err != nil {
		return err
	}
	if b, ok := v.(*classfile.BootstrapMethods); ok {
		r.methods = b.Methods
	}
	return nil
}

func (r *bodyReader) body(m *classfile.Member) (Body, error) {
	b := Body{Static: m.Access&classfile.Static != 0, Native: m.Access&classfile.Native != 0}
	b.Name, b.Descriptor = r.class.MemberName(m)
	code, err := r.class.Code(m)
	if err != nil || code == nil {
		return b, err
	}
	r.into, r.seen, r.byHandle = &b, map[any]bool{}, false
	for _, e := range code.Exceptions {
		r.name(e.Catch)
		b.Branches = true
	}
	var in bytecode.Instruction
	r.last, r.listed = [2]bytecode.Instruction{}, 0
	for pc := 0; pc < len(code.Bytes); pc += in.Len {
		if err := in.Decode(code.Bytes, pc); err != nil {
			return b, err
		}
		if r.instruction(&in); r.err != nil {
			return b, fmt.Errorf("at %d: %w", pc, r.err)
		}
		if in.Op == bytecode.Putstatic && b.Name == "<clinit>" {
			r.fix(uint16(in.Index))
		}
		r.last[0], r.last[1] = r.last[1], in
	}
	if !slices.ContainsFunc(b.Calls, Member.findsField) {
		b.Texts = nil
	}
	b.Onces = r.onces(&b, code)
	if r.flows {
		b.Flow, err = r.flow(&b, code)
	}
	return b, err
}

// element notes an instruction that writes an element of an array. Those of a list in braces do not count: compilers copy the reference to the new array right after it is
// made and after each element, and push the index.
func (r *bodyReader) element(op bytecode.Op) {
	before := r.last[0].Op
	switch {
	case writesElement(op) && r.listed > 0:
		r.listed--
	case writesElement(op):
		r.into.Stores |= 1 << (op - bytecode.Iastore)
	}
	if r.last[1].Op == bytecode.Dup && pushesConstant(op) && (before == bytecode.Anewarray || before == bytecode.Newarray || writesElement(before)) {
		r.listed++
	}
}

// pushesConstant tells whether an instruction pushes a constant.
func pushesConstant(op bytecode.Op) bool { return op >= bytecode.AconstNull && op <= bytecode.Ldc2W }

func writesElement(op bytecode.Op) bool { return op >= bytecode.Iastore && op <= bytecode.Sastore }

// given notes a field that is written with something else than a constant. A constant after a jump may be one of two values of an expression.
func (r *bodyReader) given(in *bytecode.Instruction) {
	if in.Op != bytecode.Putstatic && in.Op != bytecode.Putfield || pushesConstant(r.last[1].Op) && r.last[0].Op != bytecode.Goto && r.last[0].Op != bytecode.GotoW {
		return
	}
	if m := r.member(uint16(in.Index), in.Op); !slices.Contains(r.into.Given, m) {
		r.into.Given = append(r.into.Given, m)
	}
}

// fix notes what the initializer puts into a static field.
func (r *bodyReader) fix(at uint16) {
	m := r.member(at, bytecode.Putstatic)
	same, again := r.fixed[m]
	if r.fixed == nil {
		r.fixed = map[Member]fixed{}
	}
	bare, never := r.unchanging()
	made := r.made()
	if again && made != same.made {
		made = ""
	}
	r.fixed[m] = fixed{never: (same.never || !again) && never, bare: (same.bare || !again) && bare, made: made}
}

// A fixed tells whether a static field is always written with something that never changes, that has nothing in it, or that is a new object of a class.
type fixed struct {
	never, bare bool
	made        string
}

// made is the class of the object that the instruction before has made; "" if it is another one.
func (r *bodyReader) made() string {
	before := &r.last[1]
	if before.Op != bytecode.Invokespecial {
		return ""
	}
	if ref, _ := r.class.Pool.Ref(uint16(before.Index)); ref.Name == "<init>" {
		return ref.Class
	}
	return ""
}

// unchanging tells whether the instructions before leave an object that never changes, and whether there is nothing in it.
func (r *bodyReader) unchanging() (bare, never bool) {
	switch before := &r.last[1]; before.Op {
	case bytecode.Anewarray, bytecode.Newarray:
		empty := r.last[0].Op == bytecode.Iconst0
		return empty, empty
	case bytecode.Invokestatic:
		ref, _ := r.class.Pool.Ref(uint16(before.Index))
		switch ref.Class {
		case "java/util/Collections":
			empty := strings.HasPrefix(ref.Name, "empty")
			return empty, empty
		case "java/util/List", "java/util/Set", "java/util/Map":
			return parameters(ref.Descriptor) == "", ref.Name == "of"
		}
	}
	return false, false
}

// frozen marks the fields whose content never changes.
func (c *Class) frozen(of map[Member]fixed) {
	for i := range c.Fields {
		f := &c.Fields[i]
		how := of[Member{Class: c.Name, Name: f.Name, Descriptor: f.Descriptor, Static: true}]
		f.Empty, f.Bare = f.Final && how.never, f.Final && how.never && how.bare
		if f.Final {
			f.Made = how.made
		}
	}
}

// A site is what makes a reference of a body different from others.
type site struct {
	op bytecode.Op
	at uint16
}

func (r *bodyReader) instruction(in *bytecode.Instruction) {
	r.element(in.Op)
	r.given(in)
	switch in.Op.Format() {
	case bytecode.TableSwitch, bytecode.LookupSwitch:
		r.into.Branches = true
	case bytecode.Branch2, bytecode.Branch4:
		r.into.Branches = r.into.Branches || !in.Op.Ends()
	case bytecode.Pool1, bytecode.Pool2, bytecode.Interface, bytecode.Dynamic, bytecode.MultiArray:
		at := uint16(in.Index)
		if s := (site{in.Op, at}); !r.seen[s] {
			r.seen[s] = true
			r.constant(in.Op, at)
		}
	}
}

// constant notes an operand.
func (r *bodyReader) constant(op bytecode.Op, at uint16) {
	b := r.into
	switch op {
	case bytecode.Getstatic, bytecode.Getfield:
		b.Reads = append(b.Reads, r.member(at, op))
	case bytecode.Putstatic, bytecode.Putfield:
		b.Writes = append(b.Writes, r.member(at, op))
	case bytecode.Invokevirtual, bytecode.Invokespecial, bytecode.Invokestatic, bytecode.Invokeinterface:
		b.Calls = append(b.Calls, r.member(at, op))
	case bytecode.New:
		if name, ok := r.class.Pool.Class(at); ok {
			b.News = append(b.News, name)
		}
		r.name(at)
	default:
		r.loadable(at, 0)
	}
}

func (r *bodyReader) member(at uint16, op bytecode.Op) Member {
	ref, ok := r.class.Pool.Ref(at)
	if !ok || ref.Class == "" || !wellFormed(ref.Descriptor) {
		r.err = fmt.Errorf("constant %d is no reference to a member", at)
	}
	r.className(ref.Class)
	return Member{Class: ref.Class, Name: ref.Name, Descriptor: ref.Descriptor, Static: op == bytecode.Getstatic || op == bytecode.Putstatic || op == bytecode.Invokestatic,
		Special: op == bytecode.Invokespecial}
}

func (r *bodyReader) name(at uint16) {
	if name, ok := r.class.Pool.Class(at); ok {
		r.className(name)
	}
}

func (r *bodyReader) className(name string) {
	if name = elementClass(name); name != "" && !r.seen[name] {
		r.seen[name] = true
		r.into.Names = append(r.into.Names, name)
	}
}

// elementClass is the class that an array of arrays is made of; "" if it is none.
func elementClass(name string) string {
	if name == "" || name[0] != '[' {
		return name
	}
	for name != "" && name[0] == '[' {
		name = name[1:]
	}
	if len(name) > 2 && name[0] == 'L' {
		return name[1 : len(name)-1]
	}
	return ""
}

// maxNesting bounds dynamic constants among the arguments of dynamic constants.
const maxNesting = 16

// loadable notes what a constant leads to: a class, a method handle, a dynamic call site or constant.
func (r *bodyReader) loadable(at uint16, depth int) {
	p := &r.class.Pool
	switch p.Tag(at) {
	case classfile.TagString:
		if text, ok := p.UTF8(p.At(at).A); ok && r.flows {
			r.into.Texts = append(r.into.Texts, text)
		}
	case classfile.TagClass:
		r.name(at)
	case classfile.TagMethodHandle:
		r.handle(at)
	case classfile.TagDynamic, classfile.TagInvokeDynamic:
		c := p.At(at)
		if int(c.A) >= len(r.methods) || depth > maxNesting {
			return // a JVM refuses it when it runs
		}
		m := r.methods[c.A]
		r.handle(m.Handle)
		var target *Member
		for _, a := range m.Arguments {
			if h := r.loadedHandle(a); h != nil && target == nil {
				target = h
			}
			r.loadable(a, depth+1)
		}
		r.function(at, c.B, target)
	}
}

// function notes the object that a call site with a method handle among its arguments makes.
func (r *bodyReader) function(at, nameAndType uint16, target *Member) {
	name, descriptor, ok := r.class.Pool.NameAndType(nameAndType)
	if !ok || target == nil {
		return
	}
	if of := returnClass(descriptor); of != "" {
		r.into.Functions = append(r.into.Functions, Function{Interface: of, Name: name, Target: *target, Captures: parameterTypes(descriptor), site: at})
	}
}

// returnClass is the class that a method with a descriptor returns; "" if it returns none.
func returnClass(descriptor string) string {
	for i := len(descriptor) - 1; i >= 0; i-- {
		if descriptor[i] == ')' {
			if t := descriptor[i+1:]; len(t) > 2 && t[0] == 'L' {
				return t[1 : len(t)-1]
			}
			break
		}
	}
	return ""
}

// handle notes the member of a method handle as if it were used here.
func (r *bodyReader) handle(at uint16) {
	m := r.loadedHandle(at)
	if m == nil || r.seen[*m] {
		return
	}
	r.seen[*m] = true
	r.className(m.Class)
	switch r.class.Pool.At(at).A {
	case 1, 2:
		r.into.Reads = append(r.into.Reads, *m)
	case 3, 4:
		r.into.Writes, r.byHandle = append(r.into.Writes, *m), true
	default:
		r.into.Calls = append(r.into.Calls, *m)
	}
}

// loadedHandle is the member that a method handle constant refers to, nil if it is no such constant. Kinds are those of JVMS table 5.4.3.5-A.
func (r *bodyReader) loadedHandle(at uint16) *Member {
	if r.class.Pool.Tag(at) != classfile.TagMethodHandle {
		return nil
	}
	c := r.class.Pool.At(at)
	ref, ok := r.class.Pool.Ref(c.B)
	if !ok || ref.Class == "" || !wellFormed(ref.Descriptor) {
		return nil // a JVM refuses it when it runs
	}
	return &Member{Class: ref.Class, Name: ref.Name, Descriptor: ref.Descriptor, Static: c.A == 2 || c.A == 4 || c.A == 6, Special: c.A == 7 || c.A == 8}
}

// wellFormed tells whether a descriptor can be taken apart without another look.
func wellFormed(descriptor string) bool {
	switch {
	case descriptor == "":
		return false
	case descriptor[0] == '[' || descriptor[0] == 'L':
		return len(descriptor) > 2 || descriptor[0] == '[' && len(descriptor) == 2
	}
	return true
}

// returned is the descriptor of what a method returns.
func returned(descriptor string) string { return descriptor[strings.LastIndexByte(descriptor, ')')+1:] }

// parameters are the descriptors of the parameters of a method, in a row.
func parameters(descriptor string) string {
	return strings.TrimPrefix(descriptor[:max(strings.LastIndexByte(descriptor, ')'), 0)], "(")
}

// sameParameter tells whether two methods have a parameter of the same class or array type.
func sameParameter(a, b string) bool {
	of := strings.Split(parameters(b), ";")
	for _, p := range strings.Split(parameters(a), ";") {
		if p = strings.TrimLeft(p, "BCDFIJSZ"); p != "" && slices.ContainsFunc(of, func(q string) bool { return strings.TrimLeft(q, "BCDFIJSZ") == p }) {
			return true
		}
	}
	return false
}

// fieldClass is the class or array type of a field descriptor, as a class constant names it.
func fieldClass(descriptor string) string {
	if descriptor[0] == 'L' {
		return descriptor[1 : len(descriptor)-1]
	}
	return descriptor
}
