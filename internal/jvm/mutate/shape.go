package mutate

import (
	"fmt"
	"math"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// initializer is the name of the method that initializes a class.
const initializer = "<clinit>"

// bodies adds the mutants that replace the whole body. A constructor may throw, but not return: it has to call another one first.
func (s *scan) bodies(m *classfile.Member) error {
	name, desc := s.class.MemberName(m)
	_, result, err := signature(desc)
	if err != nil {
		return err
	}
	if name != constructor {
		s.returning(result)
	}
	s.body(Throw, "null", bytecode.AconstNull, bytecode.Athrow)
	return nil
}

func (s *scan) returning(result string) {
	if result == "V" {
		s.body(Return, "nothing", bytecode.Return)
		return
	}
	for _, op := range defaults(result) {
		s.body(Return, op.String(), op, returns(result))
	}
}

func (s *scan) body(operator, what string, ops ...bytecode.Op) {
	var code []byte
	for _, op := range ops {
		code = append(code, byte(op))
	}
	s.add(operator, inBody, "-> "+what, edit{code: code, whole: true})
}

// removal adds the mutant without the method. What a compiler made, and the constructors and initializers that every class needs in some way, are no
// methods that someone would remove.
func (s *scan) removal(m *classfile.Member) {
	name, desc := s.class.MemberName(m)
	made := m.Access&classfile.Synthetic != 0 || s.class.Find(m.Attributes, "Synthetic") != nil
	if made || name == constructor || name == initializer {
		return
	}
	operator := Remove
	if m.Access&(classfile.Static|classfile.Private) == 0 && s.class.Access&classfile.Interface == 0 && objects[name+desc] {
		operator = Override
	}
	s.add(operator, inMember, "-> nothing", edit{remove: true})
}

// objects are the methods that every class inherits and may override.
var objects = map[string]bool{"toString()Ljava/lang/String;": true, "hashCode()I": true, "equals(Ljava/lang/Object;)Z": true, "clone()Ljava/lang/Object;": true, "finalize()V": true}

// field adds the mutant of a static field with a constant.
func (s *scan) field(i int) error {
	f := &s.class.Fields[i]
	name, desc := s.class.MemberName(f)
	v, err := classfile.ValueOf[*classfile.ConstantValue](s.class, f.Attributes, "ConstantValue", classfile.InField)
	if err != nil {
		return fmt.Errorf("mutate %s.%s: %w", classfile.Text(s.name), classfile.Text(name), err)
	}
	if v == nil || f.Access&classfile.Static == 0 {
		return nil
	}
	s.member, s.seen = fieldName(name, desc), map[string]bool{}
	least, greatest := bounds(desc)
	constants, ok := s.other(v.Value, least, greatest)
	if !ok {
		return nil
	}
	what := fmt.Sprintf("%s -> %s", show(&s.class.Pool, v.Value), showAdded(constants))
	s.add(ConstantValue, inMember, what, edit{constants: constants, value: true})
	return nil
}

// bounds are those of the numbers of a type that is an int to the JVM.
func bounds(desc string) (least, greatest int32) {
	switch desc {
	case "Z":
		return 0, 1
	case "B":
		return math.MinInt8, math.MaxInt8
	case "C":
		return 0, math.MaxUint16
	case "S":
		return math.MinInt16, math.MaxInt16
	}
	return math.MinInt32, math.MaxInt32
}
