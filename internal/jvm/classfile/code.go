package classfile

// Code is the body of a method (JVMS 4.7.3).
type Code struct {
	MaxStack, MaxLocals uint16
	Bytes               []byte // the instructions; package bytecode reads them
	Exceptions          []Exception
	Attributes          []Attribute
}

// An Exception is an entry of the exception table: a handler for a range of instructions.
type Exception struct {
	Start, End, Handler uint16
	Catch               uint16 // Class constant; 0: any
}

func decodeCode(r *reader, p *Pool) Value {
	c := r.slabs.codes.one()
	c.MaxStack, c.MaxLocals = r.u2(), r.u2()
	n := r.u4()
	if int64(n) > int64(r.left()) {
		r.fail("code_length is %d, %d bytes are left", n, r.left())
		return c
	}
	c.Bytes = r.bytes(int(n))
	b := r.rows(int(r.u2()), 8)
	c.Exceptions = r.slabs.exceptions.take(len(b) / 8)
	for i := range c.Exceptions {
		d := b[8*i : 8*i+8]
		c.Exceptions[i] = Exception{Start: be2(d), End: be2(d[2:]), Handler: be2(d[4:]), Catch: be2(d[6:])}
	}
	c.Attributes = readAttributes(r, p)
	return c
}

// Append writes the content.
func (c *Code) Append(dst []byte) []byte {
	dst = put2(put2(dst, c.MaxStack), c.MaxLocals)
	dst = put4(dst, uint32(len(c.Bytes)))
	dst = append(dst, c.Bytes...)
	dst = put2(dst, uint16(len(c.Exceptions)))
	for _, e := range c.Exceptions {
		dst = put2(put2(put2(put2(dst, e.Start), e.End), e.Handler), e.Catch)
	}
	return appendAttributes(dst, c.Attributes)
}
