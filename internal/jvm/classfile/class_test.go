package classfile_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"winnow/internal/jvm/classfile"
)

// oddPool has texts from index 3 on: Code, Odd, Deprecated.
const oddPool = smallPool + "01 0004 'Code' 01 0003 'Odd' 01 000a 'Deprecated'"

// odd is a class with what is legal and rarely seen: attributes twice, Code of a class, unknown and empty attributes, a method without Code.
func odd(t testing.TB) []byte {
	t.Helper()
	return unhex(t, smallHead+"0006"+oddPool+"0021 0002 0002 0002 0002 0002"+
		"0001 0002 0001 0001 0002 0005 00000000 0005 00000000"+
		"0002 0400 0001 0004 0000"+
		"     0001 0004 0001 0001 0003 0000000d 0001 0001 00000001 b1 0000 0000"+
		"0003 0003 00000002 abcd 0004 00000000 0004 00000001 00")
}

func TestOddClass(t *testing.T) {
	data := odd(t)
	c, err := classfile.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Append(nil); !bytes.Equal(got, data) {
		t.Errorf("written again: %x", got)
	}
	if c.Name() != "A" || c.SuperName() != "A" || !slices.Equal(c.InterfaceNames(), []string{"A", "A"}) || c.Major != 69 || c.Minor != 0 || c.Access.ClassText() != "public super" {
		t.Errorf("%s extends %s implements %v, version %d.%d, %s", c.Name(), c.SuperName(), c.InterfaceNames(), c.Major, c.Minor, c.Access.ClassText())
	}
	v, err := c.Attributes[0].Value(&c.Pool, classfile.InClass)
	if u, ok := v.(classfile.Unknown); err != nil || !ok || !bytes.Equal(u, []byte{0xab, 0xcd}) {
		t.Errorf("Code of a class: %v, %v", v, err)
	}
	if a := c.Find(c.Attributes, "Odd"); a != &c.Attributes[1] {
		t.Errorf("Find gives %v, not the first", a)
	}
	if a := c.Find(c.Attributes, "Even"); a != nil {
		t.Errorf("Find gives %v for a name that is not there", a)
	}
	checkOddMethods(t, c)
}

func checkOddMethods(t *testing.T, c *classfile.Class) {
	t.Helper()
	if name, desc := c.MemberName(&c.Methods[0]); name != "A" || desc != "Odd" {
		t.Errorf("the first method is %s %s", name, desc)
	}
	if code, err := c.Code(&c.Methods[0]); code != nil || err != nil {
		t.Errorf("Code of an abstract method: %v, %v", code, err)
	}
	code, err := c.Code(&c.Methods[1])
	if err != nil || !bytes.Equal(code.Bytes, []byte{0xb1}) || code.MaxStack != 1 {
		t.Errorf("Code: %+v, %v", code, err)
	}
	c.Methods[1].Attributes[0].Set(classfile.Unknown{1})
	if code, err := c.Code(&c.Methods[1]); code != nil || err == nil {
		t.Errorf("Code that was replaced: %v, %v", code, err)
	}
}

func TestBrokenClasses(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"empty", "", "ClassFile at offset 0: needs 4 bytes, 0 are left"},
		{"magic", "CAFEBABF 0000 0045", "ClassFile at offset 0: magic is 0xcafebabf"},
		{"no pool", smallHead, "constant_pool at offset 8: needs 2 bytes, 0 are left"},
		{"this_class", smallHead + "0003" + smallPool + "0020 0001 0000 0000 0000 0000 0000", "ClassFile at offset 19: this_class is not a class"},
		{"this_class 0", smallHead + "0003" + smallPool + "0020 0000 0000 0000 0000 0000 0000", "ClassFile at offset 19: this_class is not a class"},
		{"super_class", smallHead + "0003" + smallPool + "0020 0002 0001 0000 0000 0000 0000", "ClassFile at offset 21: super_class is not a class"},
		{"interfaces", smallHead + "0003" + smallPool + "0020 0002 0000 0002 0002 0001 0000 0000 0000", "interfaces at offset 27: constant 1 is not a class"},
		{"interface count", smallHead + "0003" + smallPool + "0020 0002 0000 ffff 0000 0000 0000", "interfaces at offset 25: 65535 elements of at least 2 bytes, 6 bytes are left"},
		{"field count", smallHead + "0003" + smallPool + "0020 0002 0000 0000 ffff 0000 0000", "field_info at offset 27: 65535 elements of at least 8 bytes, 4 bytes are left"},
		{"field name", smallHead + "0003" + smallPool + "0020 0002 0000 0000 0001 0000 0002 0001 0000 0000 0000", "field_info at offset 29: name or descriptor is not a Utf8"},
		{"method descriptor", smallHead + "0003" + smallPool + "0020 0002 0000 0000 0000 0001 0000 0001 0002 0000 0000", "method_info at offset 31: name or descriptor is not a Utf8"},
		{"attribute count", smallHead + "0003" + smallPool + "0020 0002 0000 0000 0000 0000 ffff", "attribute_info at offset 31: 65535 elements of at least 6 bytes, 0 bytes are left"},
		{"attribute name", smallHead + "0003" + smallPool + "0020 0002 0000 0000 0000 0000 0001 0002 00000000", "attribute_info at offset 31: name is not a Utf8"},
		{"attribute length", smallHead + "0003" + smallPool + "0020 0002 0000 0000 0000 0000 0001 0001 ffffffff", "attribute_info at offset 37: length is 4294967295, 0 bytes are left"},
		{"trailing byte", smallHead + "0003" + smallPool + smallTail + "00", "ClassFile at offset 31: 1 bytes too many"},
	}
	for _, test := range tests {
		c, err := classfile.Read(unhex(t, test.data))
		if c != nil || err == nil || err.Error() != "class file: "+test.want {
			t.Errorf("%s:\n%v, want\n%s", test.name, err, test.want)
		}
	}
}

// TestCutClass cuts a class off everywhere.
func TestCutClass(t *testing.T) {
	data := odd(t)
	for n := range data {
		c, err := classfile.Decode(data[:n])
		var bad *classfile.FormatError
		if c != nil || !errors.As(err, &bad) || bad.Offset > n {
			t.Errorf("%d bytes: %v, %v", n, c, err)
		}
	}
}

// TestOldCode has the two layouts of Code in a file of version 45.0. JDK 17 and 25 run the one of today and refuse the one of the time.
func TestOldCode(t *testing.T) {
	const head = "CAFEBABE 0000 002d 0004" + smallPool + "01 0004 'Code'" + "0021 0002 0000 0000 0000 0001 0001 0001 0001 0001 0003"
	const today, then = "0000000d 0001 0001 00000001 b1 0000 0000", "00000009 01 01 0001 b1 0000 0000"
	if _, err := classfile.Decode(unhex(t, head+today+"0000")); err != nil {
		t.Error(err)
	}
	if c, err := classfile.Decode(unhex(t, head+then+"0000")); c != nil || err == nil {
		t.Errorf("the short layout: %v, %v", c, err)
	}
}

func TestFlagsText(t *testing.T) {
	if got, want := classfile.Flags(0xFFFF).FieldText(),
		"public private protected static final 0x20 volatile transient 0x100 0x200 0x400 0x800 synthetic 0x2000 enum 0x8000"; got != want {
		t.Errorf("field: %s, want %s", got, want)
	}
	if got, want := classfile.Flags(0xFFFF).MethodText(),
		"public private protected static final synchronized bridge varargs native 0x200 abstract strict synthetic 0x2000 0x4000 0x8000"; got != want {
		t.Errorf("method: %s, want %s", got, want)
	}
	if got, want := classfile.Flags(0xFFFF).ClassText(),
		"public private protected static final super 0x40 0x80 0x100 interface abstract 0x800 synthetic annotation enum module"; got != want {
		t.Errorf("class: %s, want %s", got, want)
	}
	if got := classfile.Flags(0).ClassText(); got != "" {
		t.Errorf("no flags: %q", got)
	}
}
