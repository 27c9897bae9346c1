package formula

// AppendNormalRefs appends the normal form of src at a cell to dst and its
// references to refs. It gives what Parse, [Formula.Normal] and [Formula.Refs]
// give, from the tokens alone. A shift other than zero is applied to the relative parts
// of the references first, as by [Formula.Shift]: for a dependent of a shared
// formula, src is the text of the master. On error dst and refs are returned as
// they were.
func AppendNormalRefs(dst []byte, refs []Ref, src string, at Cell, shift Offset) ([]byte, []Ref, error) {
	s := stream{out: emitter{dst: dst, refs: refs, wantRefs: true, at: at, shift: shift}}
	if err := s.run(src); err != nil {
		return dst, refs, err
	}
	return s.out.dst, s.out.refs, nil
}

// AppendSkeletonRefs is like [AppendNormalRefs] with the skeleton in place of
// the normal form.
func AppendSkeletonRefs(dst []byte, refs []Ref, src string, at Cell, shift Offset) ([]byte, []Ref, error) {
	s := stream{out: emitter{dst: dst, refs: refs, wantRefs: true, at: at, shift: shift, holes: true}}
	if err := s.run(src); err != nil {
		return dst, refs, err
	}
	return s.out.dst, s.out.refs, nil
}

// stream recognises formulas without building them. What a normal form needs is
// in the tokens; whether they are a formula is a matter of operands and
// operators taking turns and of parentheses matching, not of precedence.
type stream struct {
	lex   lexer
	out   emitter
	depth int
	args  [MaxNesting]bool // for each open parenthesis: is it a call?

	canRef   bool // the operand just read may be a reference
	closed   bool // the operand just read ended with ")"
	needRef  bool // a reference operator waits for its right operand
	argStart bool // nothing of the current argument was read yet
}

// run reads the whole text. An error is returned as a plain error so that nil
// stays nil.
func (s *stream) run(src string) error {
	if s.lex.start(src) {
		for s.operand() && s.operators() {
		}
	}
	if s.lex.err != nil {
		return s.lex.err
	}
	s.out.finish()
	return nil
}

func (s *stream) fail(msg string) bool {
	s.lex.fail(s.lex.tok.off, msg)
	return false
}

// operand reads prefix operators and opening parentheses up to and including
// one operand, or up to the token after an empty argument.
func (s *stream) operand() bool {
	for {
		k := s.lex.operand()
		if s.needRef && k != tInvalid && !startsReference(k, s.lex.tok.text) {
			return s.fail("reference expected")
		}
		s.needRef = false
		switch k {
		case tPrefix:
			s.out.op(s.lex.tok.op)
			s.argStart = false
		case tOpen, tFunc:
			if !s.open(k) {
				return false
			}
		case tComma, tClose:
			if !s.argStart {
				return s.fail("operand expected")
			}
			s.lex.unread()
			s.canRef, s.closed = false, false
			return true
		default:
			return s.leaf(k)
		}
	}
}

// open reads "(" or a function name with its "(".
func (s *stream) open(k kind) bool {
	if s.depth == MaxNesting {
		return s.fail("nested too deep")
	}
	t := &s.lex.tok
	switch {
	case k == tOpen:
		s.out.byte('(')
	case t.prefix != (Prefix{}):
		s.out.function(&t.prefix, upperString(t.text))
	default:
		_, name, _ := canonical(t.text)
		s.out.function(&t.prefix, name)
	}
	s.push(k == tFunc)
	return true
}

func (s *stream) push(call bool) {
	s.args[s.depth] = call
	s.depth++
	s.argStart = call
}

// leaf reads an operand of one token, or an array constant.
func (s *stream) leaf(k kind) bool {
	t := &s.lex.tok
	s.canRef = startsReference(k, t.text)
	s.closed, s.argStart = false, false
	switch k {
	case tNumber:
		s.out.upper(t.text)
	case tText:
		s.out.byte('"')
		s.out.str(t.text)
		s.out.byte('"')
	case tBool, tError:
		s.out.str(t.text)
	case tRef:
		s.out.ref(&t.prefix, &t.rng)
	case tName:
		s.out.name(&t.prefix, t.text)
	case tTable:
		s.out.table(&t.prefix, t.text, t.spec)
	case tArray:
		return s.array()
	default:
		return s.fail("operand expected")
	}
	return true
}

func (s *stream) array() bool {
	s.out.byte('{')
	for first, n := 0, 1; ; n++ {
		if k := s.lex.element(); k == tInvalid || !s.leaf(k) {
			return false
		}
		switch s.lex.separator() {
		case tInvalid:
			return false
		case tComma:
			s.out.byte(',')
			continue
		}
		if first == 0 {
			first = n
		}
		if n != first {
			return s.fail("rows of an array constant differ in length")
		}
		if s.lex.tok.kind == tArrayEnd {
			s.out.byte('}')
			s.canRef = false
			return true
		}
		s.out.byte(';')
		n = 0
	}
}

// operators reads what may follow an operand, up to the next operator that
// needs an operand. It returns false at the end and after an error.
func (s *stream) operators() bool {
	for {
		k := s.lex.operator()
		op := s.lex.tok.op
		switch k {
		case tEnd:
			if s.depth > 0 {
				s.fail(") expected")
			}
			return false
		case tClose:
			if !s.close() {
				return false
			}
		case tPostfix:
			if op == OpSpill && !s.canRef {
				return s.fail("# after something that is not a reference")
			}
			s.out.op(op)
			s.canRef, s.closed = op == OpSpill, false
		case tOpen:
			return s.invoke()
		case tComma:
			return s.comma()
		case tBinary:
			return s.binary(op)
		default:
			return false
		}
	}
}

func (s *stream) close() bool {
	if s.depth == 0 {
		return s.fail("unexpected )")
	}
	s.depth--
	s.out.byte(')')
	s.canRef, s.closed, s.argStart = true, true, false
	return true
}

func (s *stream) invoke() bool {
	if !s.closed {
		return s.fail("operator expected")
	}
	if s.depth == MaxNesting {
		return s.fail("nested too deep")
	}
	s.out.byte('(')
	s.push(true)
	return true
}

func (s *stream) comma() bool {
	if s.depth == 0 || !s.args[s.depth-1] {
		return s.binary(OpUnion)
	}
	s.out.byte(',')
	s.argStart = true
	return true
}

func (s *stream) binary(op Op) bool {
	if op.onReferences() {
		if !s.canRef {
			return s.fail(op.String() + " after something that is not a reference")
		}
		s.needRef = true
	}
	s.out.op(op)
	s.argStart = false
	return true
}
