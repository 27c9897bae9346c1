package minijvm

// next says where control can go from an instruction, beside its exception handlers.
type next uint8

const (
	falls next = 1 << iota
	jumps
)

// effect applies an instruction to the state now; a reason says why it cannot be.
func (x *flow) effect(in *Instr) (next, string) {
	if in.Op >= ops {
		return 0, "is no instruction"
	}
	if x.height() < needs[in.Op] {
		return 0, "needs more values on the stack"
	}
	switch in.Op {
	case Load:
		return x.effectLoad(in)
	case Store:
		return x.effectStore(in)
	case Push:
		return x.effectPush(in)
	case New:
		return x.pushClass(in.C)
	case Getfield:
		return x.effectGetfield(in)
	case Putfield:
		return x.effectPutfield(in)
	case Getstatic:
		return x.effectGetstatic(in)
	case Putstatic:
		return x.effectPutstatic(in)
	case Checkcast:
		if !isRef(x.pop()) {
			return 0, "casts a value that is no object"
		}
		return x.pushClass(in.C)
	case Invoke:
		return x.effectInvoke(in)
	case Invokestatic:
		return x.effectInvokestatic(in)
	case Return:
		if !x.v.subtype(x.pop(), x.m.Result) {
			return 0, "returns a value of another type than the method's"
		}
		return 0, ""
	case Pop:
		x.pop()
		return falls, ""
	case IAdd:
		if a, b := x.pop(), x.pop(); a != Int || b != Int {
			return 0, "adds values that are no integers"
		}
		return x.push(Int)
	case Goto:
		return jumps, ""
	case CmpEq:
		if a, b := x.pop(), x.pop(); a != b && !(isRef(a) && isRef(b)) {
			return 0, "compares values of different types"
		}
		return x.push(Boolean)
	case IfFalse:
		if x.pop() != Boolean {
			return 0, "tests a value that is no boolean"
		}
		return jumps | falls, ""
	case Throw:
		if !isRef(x.pop()) {
			return 0, "throws a value that is no object"
		}
	}
	return 0, ""
}

func (x *flow) height() int { return len(x.now) - x.locals }

func (x *flow) pop() Type {
	t := x.now[len(x.now)-1]
	x.now = x.now[:len(x.now)-1]
	return t
}

func (x *flow) push(t Type) (next, string) {
	x.now = append(x.now, t)
	return falls, ""
}

func (x *flow) pushClass(c ClassID) (next, string) {
	if x.v.p.Class(c) == nil {
		return 0, "names a class that does not exist"
	}
	return x.push(ClassType(c))
}

func (x *flow) effectLoad(in *Instr) (next, string) {
	if in.N < 0 || int(in.N) >= x.locals || x.now[in.N] == Unusable {
		return 0, "loads a local that has no value"
	}
	return x.push(x.now[in.N])
}

func (x *flow) effectStore(in *Instr) (next, string) {
	if in.N < 0 || int(in.N) >= x.locals {
		return 0, "stores into a local that does not exist"
	}
	x.now[in.N] = x.pop()
	return falls, ""
}

func (x *flow) effectPush(in *Instr) (next, string) {
	switch in.V.kind() {
	case kindUnit:
		return x.push(Void)
	case kindNull:
		return x.push(NullType)
	case kindBool:
		return x.push(Boolean)
	case kindInt:
		return x.push(Int)
	}
	return 0, "pushes a value that is no constant"
}

// usable decides about a member that an instruction names. In the strength Missing an instruction whose member cannot be used is fine: it raises, so nothing follows.
func (x *flow) usable(fault, found, said ClassID) (raises bool, reason string) {
	switch {
	case x.v.strength == Missing:
		return fault != NoClass, ""
	case fault == NoSuchFieldError || fault == NoSuchMethodError:
		return true, "names a member that does not exist"
	case fault == IncompatibleClassChangeError:
		return true, "names a member that is static where it must not be, or the other way round"
	case found != said:
		return true, "names another class than the one that declares the member"
	}
	return false, ""
}

// instance checks an access to an instance field whose object is on top.
func (x *flow) instance(in *Instr) (field *Field, raises bool, reason string) {
	if x.v.p.Class(in.C) == nil {
		return nil, true, "names a class that does not exist"
	}
	if !x.v.subtype(x.pop(), ClassType(in.C)) {
		return nil, true, "uses a field of an object of another class"
	}
	field, d := x.v.p.SeesField(in.C, in.F)
	raises, reason = x.usable(fieldFault(field, false), d, in.C)
	return field, raises, reason
}

func (x *flow) effectGetfield(in *Instr) (next, string) {
	field, raises, reason := x.instance(in)
	if raises || reason != "" {
		return 0, reason
	}
	return x.push(field.Type)
}

func (x *flow) effectPutfield(in *Instr) (next, string) {
	v := x.pop()
	field, raises, reason := x.instance(in)
	if raises || reason != "" {
		return 0, reason
	}
	return x.assigned(v, field)
}

func (x *flow) assigned(v Type, f *Field) (next, string) {
	if !x.v.subtype(v, f.Type) {
		return 0, "assigns a value of another type than the field's"
	}
	return falls, ""
}

// static checks an access to a static field.
func (x *flow) static(in *Instr) (field *Field, raises bool, reason string) {
	if x.v.p.Class(in.C) == nil || x.v.p.Class(in.D) == nil {
		return nil, true, "names a class that does not exist"
	}
	field, d := x.v.p.SeesField(in.C, in.F)
	raises, reason = x.usable(fieldFault(field, true), d, in.D)
	return field, raises, reason
}

func (x *flow) effectGetstatic(in *Instr) (next, string) {
	field, raises, reason := x.static(in)
	if raises || reason != "" {
		return 0, reason
	}
	return x.push(field.Type)
}

func (x *flow) effectPutstatic(in *Instr) (next, string) {
	v := x.pop()
	field, raises, reason := x.static(in)
	if raises || reason != "" {
		return 0, reason
	}
	return x.assigned(v, field)
}

// arguments checks the arguments of a call, which are on top.
func (x *flow) arguments(m *Method, n int32) string {
	if int(n) != len(m.Params) {
		return "calls with another number of arguments than the method has"
	}
	for i := len(m.Params) - 1; i >= 0; i-- {
		if !x.v.subtype(x.pop(), m.Params[i]) {
			return "calls with an argument of another type than the method's"
		}
	}
	return ""
}

func (x *flow) effectInvoke(in *Instr) (next, string) {
	if in.N < 0 || x.height() < int(in.N)+1 {
		return 0, "needs more values on the stack"
	}
	receiver := x.now[len(x.now)-1-int(in.N)]
	if receiver == NullType {
		return 0, "" // raises NullPointer
	}
	c, ok := receiver.Class()
	if !ok {
		return 0, "calls a method of a value that is no object"
	}
	m, _ := x.v.p.SeesMethod(c, in.F)
	fault := methodFault(m, false)
	if raises, reason := x.usable(fault, c, c); raises || reason != "" {
		if reason == "" && x.v.declaredBelow(c, in.F) {
			reason = "calls a method that only a subclass has"
		}
		return 0, reason
	}
	if reason := x.arguments(m, in.N); reason != "" {
		return 0, reason
	}
	x.pop()
	return x.push(m.Result)
}

// declaredBelow tells whether a class below c declares an instance method of a name: then a call that c's own method would refuse may succeed.
func (v *Verifier) declaredBelow(c ClassID, m MemberID) bool {
	for s := v.p.Present(); s != 0; {
		var d ClassID
		d, s = s.First()
		if k := v.p.classes[d].Method(m); d != c && k != nil && !k.Static && v.p.Subclass(d, c) {
			return true
		}
	}
	return false
}

func (x *flow) effectInvokestatic(in *Instr) (next, string) {
	switch {
	case x.v.p.Class(in.C) == nil:
		return 0, "names a class that does not exist"
	case in.F == Clinit:
		return 0, "calls a static initializer"
	case in.N < 0 || x.height() < int(in.N):
		return 0, "needs more values on the stack"
	}
	m, _ := x.v.p.SeesMethod(in.C, in.F)
	if raises, reason := x.usable(methodFault(m, true), in.C, in.C); raises || reason != "" {
		return 0, reason
	}
	if reason := x.arguments(m, in.N); reason != "" {
		return 0, reason
	}
	return x.push(m.Result)
}
