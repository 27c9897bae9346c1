package minijvm

import (
	"strconv"
	"strings"
)

// reserved words are names of types and values.
var reserved = map[string]bool{"void": true, "boolean": true, "int": true, "null": true, "unit": true, "true": true, "false": true}

// isName tells whether a word can be the name of a class or a member: letters, digits, _ and ' (as in D'), not beginning with a digit or '.
func isName(w string) bool {
	if w == "" || len(w) > 100 || reserved[w] {
		return false
	}
	for i := range len(w) {
		c := w[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c != '\'' && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}

func (r *parser) className() (ClassID, error) {
	w := r.next()
	if !isName(w) {
		return 0, r.fault("want the name of a class, got %q", w)
	}
	c, err := r.names.AddClass(w)
	if err != nil {
		return 0, r.fault("%v", err)
	}
	return c, nil
}

func (r *parser) memberName() (MemberID, error) {
	w := r.next()
	if !isName(w) {
		return 0, r.fault("want the name of a member, got %q", w)
	}
	m, err := r.names.AddMember(w)
	if err != nil {
		return 0, r.fault("%v", err)
	}
	return m, nil
}

func (r *parser) typ() (Type, error) {
	switch {
	case r.accept("void"):
		return Void, nil
	case r.accept("boolean"):
		return Boolean, nil
	case r.accept("int"):
		return Int, nil
	}
	c, err := r.className()
	return ClassType(c), err
}

// numbers reads a word and a number within bounds.
func (r *parser) numbers(low, high int, word string, to *int32) error {
	if err := r.want(word); err != nil {
		return err
	}
	return r.int(low, high, to)
}

func (r *parser) int(low, high int, to *int32) error {
	w := r.next()
	n, err := strconv.Atoi(w)
	if err != nil || n < low || n > high {
		return r.fault("want a number from %d to %d, got %q", low, high, w)
	}
	*to = int32(n)
	return nil
}

func (r *parser) value() (Value, error) {
	switch w := r.next(); w {
	case "unit":
		return Unit, nil
	case "null":
		return Null, nil
	case "true":
		return True, nil
	case "false":
		return False, nil
	default:
		n, err := strconv.ParseInt(w, 10, 32)
		if err != nil {
			return 0, r.fault("want unit, null, true, false or a number of 32 bits, got %q", w)
		}
		return IntValue(int32(n)), nil
	}
}

func (r *parser) instr() error {
	name := r.next()
	var in Instr
	for in.Op < ops && opNames[in.Op] != name {
		in.Op++
	}
	if in.Op == ops {
		return r.fault("%q is no instruction; there are %s", name, strings.Join(opNames[:], " "))
	}
	if len(r.method.Code) == MaxCode {
		return r.fault("the method has more than %d instructions", MaxCode)
	}
	for _, o := range operands[in.Op] {
		if err := r.operand(o, &in); err != nil {
			return err
		}
	}
	r.method.Code = append(r.method.Code, in)
	return nil
}

func (r *parser) operand(kind rune, in *Instr) (err error) {
	switch kind {
	case 'C':
		in.C, err = r.className()
	case 'D':
		in.D, err = r.className()
	case 'F':
		in.F, err = r.memberName()
	case 'n':
		err = r.int(0, MaxLocals, &in.N)
	case 'j':
		err = r.int(-MaxCode, MaxCode, &in.N)
	case 'v':
		in.V, err = r.value()
	}
	return err
}
