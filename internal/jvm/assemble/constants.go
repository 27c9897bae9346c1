package assemble

import (
	"math"

	"winnow/internal/jvm/classfile"
)

// Constant adds a constant to the pool unless it is there, and returns its index.
func (c *Class) Constant(k classfile.Constant) uint16 {
	if i, ok := c.index[k]; ok {
		return i
	}
	if k.Tag == classfile.TagUtf8 && len(k.Text) > math.MaxUint16 {
		c.fail("a text of %d bytes, at most 65535 fit", len(k.Text))
		return 0
	}
	i, err := c.file.Pool.Add(k)
	if err != nil {
		c.fail("%w", err)
		return 0
	}
	c.index[k] = i
	return i
}

// UTF8 adds a text, in modified UTF-8 as the class file wants it.
func (c *Class) UTF8(text string) uint16 {
	return c.Constant(classfile.Constant{Tag: classfile.TagUtf8, Text: text})
}

// named adds a constant that refers to a text.
func (c *Class) named(tag classfile.Tag, text string) uint16 {
	return c.Constant(classfile.Constant{Tag: tag, A: c.UTF8(text)})
}

// ClassRef adds a class: an internal name or the descriptor of an array.
func (c *Class) ClassRef(name string) uint16 { return c.named(classfile.TagClass, name) }

// StringRef adds a string.
func (c *Class) StringRef(text string) uint16 { return c.named(classfile.TagString, text) }

// MethodType adds a method type.
func (c *Class) MethodType(descriptor string) uint16 {
	return c.named(classfile.TagMethodType, descriptor)
}

// Int adds an int.
func (c *Class) Int(v int32) uint16 {
	return c.Constant(classfile.Constant{Tag: classfile.TagInteger, Bits: uint64(uint32(v))})
}

// Long adds a long.
func (c *Class) Long(v int64) uint16 {
	return c.Constant(classfile.Constant{Tag: classfile.TagLong, Bits: uint64(v)})
}

// Float adds a float.
func (c *Class) Float(v float32) uint16 {
	return c.Constant(classfile.Constant{Tag: classfile.TagFloat, Bits: uint64(math.Float32bits(v))})
}

// Double adds a double.
func (c *Class) Double(v float64) uint16 {
	return c.Constant(classfile.Constant{Tag: classfile.TagDouble, Bits: math.Float64bits(v)})
}

// NameAndType adds a name with a descriptor.
func (c *Class) NameAndType(name, descriptor string) uint16 {
	return c.Constant(classfile.Constant{Tag: classfile.TagNameAndType, A: c.UTF8(name), B: c.UTF8(descriptor)})
}

// Ref adds a reference to a field or method; its Tag says which.
func (c *Class) Ref(r classfile.Ref) uint16 {
	return c.Constant(classfile.Constant{Tag: r.Tag, A: c.ClassRef(r.Class), B: c.NameAndType(r.Name, r.Descriptor)})
}

// MethodHandle adds a method handle. Kind is the reference_kind of JVMS 4.4.8.
func (c *Class) MethodHandle(kind uint8, r classfile.Ref) uint16 {
	return c.Constant(classfile.Constant{Tag: classfile.TagMethodHandle, A: uint16(kind), B: c.Ref(r)})
}

// Bootstrap adds a bootstrap method and returns its index for Dynamic and Code.Dynamic. Handle and arguments are indices of constants.
func (c *Class) Bootstrap(handle uint16, arguments ...uint16) uint16 {
	if len(c.bootstrap) > math.MaxUint16 {
		c.fail("too many bootstrap methods")
		return 0
	}
	c.bootstrap = append(c.bootstrap, classfile.BootstrapMethod{Handle: handle, Arguments: arguments})
	return uint16(len(c.bootstrap) - 1)
}

// Dynamic adds a dynamically computed constant.
func (c *Class) Dynamic(bootstrap uint16, name, descriptor string) uint16 {
	return c.Constant(classfile.Constant{Tag: classfile.TagDynamic, A: bootstrap, B: c.NameAndType(name, descriptor)})
}
