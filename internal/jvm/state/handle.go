package state

import (
	"slices"
	"strings"
)

// A handle of a field is an object of the JDK through which the field is read and written: a VarHandle, an updater of java.util.concurrent.atomic, a method handle. For Unsafe, which Scala uses for lazy values, it is a
// number. Bodies that look for one have the name of the field as a text and name its class. Bodies of the project that use a handle which such a body keeps in a field, or one of which it is not known where it comes from, read the field, and write it unless they only get.

// findsField tells whether a method makes a handle of a field.
func (m Member) findsField() bool {
	switch m.Class {
	case "java/lang/invoke/MethodHandles$Lookup":
		return slices.Contains([]string{"findVarHandle", "findStaticVarHandle", "findGetter", "findSetter", "findStaticGetter", "findStaticSetter", "unreflectVarHandle", "unreflectGetter", "unreflectSetter"}, m.Name)
	case "java/lang/invoke/MethodHandles":
		return m.Name == "privateLookupIn"
	}
	return m.Name == "newUpdater" || m.findsOffset()
}

// findsOffset tells whether a method finds the place of a field in memory.
func (m Member) findsOffset() bool {
	return isUnsafe(m.Class) && (m.Name == "objectFieldOffset" || m.Name == "staticFieldOffset") || m.Class == lazyValues && strings.HasPrefix(m.Name, "getOffset")
}

func isUnsafe(class string) bool {
	return class == "sun/misc/Unsafe" || class == "jdk/internal/misc/Unsafe"
}

// lazyValues is where Scala 3 keeps Unsafe.
const lazyValues = "scala/runtime/LazyVals$"

// usesHandle tells whether a method uses a handle, and whether it may write the field.
func (m Member) usesHandle() (uses, writes bool) {
	switch {
	case m.Class == "java/lang/invoke/MethodHandle" && strings.HasPrefix(m.Name, "invoke"):
		return true, true
	case m.Class == "java/lang/invoke/VarHandle" || updater(m.Class) && m.Name != "newUpdater":
		return true, !strings.HasPrefix(m.Name, "get") || strings.HasPrefix(m.Name, "getAnd")
	case isUnsafe(m.Class) && (strings.HasPrefix(m.Name, "put") || strings.HasPrefix(m.Name, "compareAnd") || strings.HasPrefix(m.Name, "weakCompareAnd") || strings.HasPrefix(m.Name, "getAnd")):
		return true, true
	case isUnsafe(m.Class) && strings.HasPrefix(m.Name, "get") && m.Name != "getUnsafe":
		return true, false
	case m.Class == lazyValues && (m.Name == "objCAS" || m.Name == "CAS" || m.Name == "setFlag"):
		return true, true
	}
	return false, false
}

func updater(class string) bool {
	return strings.HasPrefix(class, "java/util/concurrent/atomic/Atomic") && strings.HasSuffix(class, "FieldUpdater")
}

// handles makes bodies that use handles of fields readers and writers of these.
func (c *cells) handles() error {
	var finders []int32
	for n := range c.methods {
		if b := c.methods[n].body; b != nil && c.types[c.methods[n].class].ours && slices.ContainsFunc(b.Calls, Member.findsField) {
			finders = append(finders, int32(n))
		}
	}
	if len(finders) == 0 {
		return nil
	}
	for n := range c.methods {
		b := c.methods[n].body
		if b == nil || !c.types[c.methods[n].class].ours {
			continue
		}
		uses, writes := false, false
		for _, m := range b.Calls {
			u, w := m.usesHandle()
			uses, writes = uses || u, writes || w
		}
		if uses {
			c.handled(int32(n), writes, finders)
		}
	}
	return nil
}

// handled notes the fields that a body uses through handles.
func (c *cells) handled(n int32, writes bool, finders []int32) {
	known := slices.DeleteFunc(slices.Clone(finders), func(m int32) bool { return m != n && !c.keepsHandle(m, n) })
	if len(known) == 0 {
		known = finders
	}
	for at, f := range c.all {
		if f.kept || !slices.ContainsFunc(known, func(m int32) bool { return c.finds(m, f) }) {
			continue
		}
		if !f.static && !slices.Contains(c.byHandle, f.owner) {
			c.byHandle = append(c.byHandle, f.owner)
		}
		f.readers, c.reads[n] = append(f.readers, n), append(c.reads[n], at)
		if writes {
			f.makers, f.writers, f.givers = append(f.makers, n), append(f.writers, n), append(f.givers, n)
			c.writes[n] = append(c.writes[n], at)
		}
	}
}

// keepsHandle tells whether a body writes a field with a handle that another one reads.
func (c *cells) keepsHandle(finder, n int32) bool {
	numbers := slices.ContainsFunc(c.methods[finder].body.Calls, Member.findsOffset)
	return slices.ContainsFunc(c.writes[finder], func(at int) bool {
		d := c.all[at].descriptor
		class := fieldClass(d)
		return (strings.HasPrefix(class, "java/lang/invoke/") || updater(class) || numbers && d == "J") && slices.Contains(c.reads[n], at)
	})
}

// finds tells whether a body may look for a handle of a field.
func (c *cells) finds(n int32, f *cell) bool {
	b := c.methods[n].body
	name := f.label[strings.LastIndexByte(f.label, '.')+1:]
	owner := c.types[f.owner].name
	return (len(b.Texts) == 0 || slices.Contains(b.Texts, name)) && (c.methods[n].class == f.owner || slices.Contains(b.Names, owner))
}
