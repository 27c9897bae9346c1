package instrument

import "winnow/internal/jvm/classfile"

// maxConstants is the highest constant_pool_count.
const maxConstants = 65535

// constants are the entries to be added to a constant pool, encoded.
type constants struct {
	next int // index of the next one
	b    []byte
}

func (c *constants) took() int {
	c.next++
	return c.next - 1
}

func (c *constants) utf8(s string) int {
	c.b = append(put2(append(c.b, byte(classfile.TagUtf8)), len(s)), s...)
	return c.took()
}

func (c *constants) integer(v int) int {
	c.b = put4(append(c.b, byte(classfile.TagInteger)), v)
	return c.took()
}

func (c *constants) pair(tag classfile.Tag, a, b int) int {
	c.b = put2(put2(append(c.b, byte(tag)), a), b)
	return c.took()
}

func (c *constants) class(name string) int {
	u := c.utf8(name)
	c.b = put2(append(c.b, byte(classfile.TagClass)), u)
	return c.took()
}

// The numbers of entries that class, and member with a new name and descriptor, take.
const (
	classEntries  = 2
	memberEntries = 4
)

func (c *constants) member(tag classfile.Tag, class int, name, descriptor string) int {
	n, d := c.utf8(name), c.utf8(descriptor)
	return c.pair(tag, class, c.pair(classfile.TagNameAndType, n, d))
}
