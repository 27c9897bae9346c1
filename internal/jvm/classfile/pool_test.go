package classfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/classfile"
)

// A small class "A" without members: the constants 1 (Utf8 "A") and 2 (Class) and whatever a test adds.
const (
	smallHead = "CAFEBABE 0000 0045"
	smallPool = "01 0001 'A' 07 0001"
	smallTail = "0020 0002 0000 0000 0000 0000 0000"
)

// withConstants is the small class with more constants from index 3 on. Their first byte is at offset 17.
func withConstants(t testing.TB, count, constants string) []byte {
	t.Helper()
	return unhex(t, smallHead+count+smallPool+constants+smallTail)
}

// everyConstant has each kind, an empty text, and a double at the end, whose second index is the last one of the pool.
const everyConstant = "01 0000  03 80000001  04 7fc00000  05 0102030405060708  08 0001  0c 0001 0003  09 0002 0009  0a 0002 0009" +
	"0b 0002 0009  0f 06 000b  10 0001  11 0102 0009  12 0103 0009  13 0001  14 0001  06 fff0000000000001"

func TestConstants(t *testing.T) {
	data := withConstants(t, "0015", everyConstant)
	c, err := classfile.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	want := []classfile.Constant{
		{}, {Tag: classfile.TagUtf8, Text: "A"}, {Tag: classfile.TagClass, A: 1}, {Tag: classfile.TagUtf8},
		{Tag: classfile.TagInteger, Bits: 0x80000001}, {Tag: classfile.TagFloat, Bits: 0x7fc00000}, {Tag: classfile.TagLong, Bits: 0x102030405060708}, {},
		{Tag: classfile.TagString, A: 1}, {Tag: classfile.TagNameAndType, A: 1, B: 3},
		{Tag: classfile.TagFieldref, A: 2, B: 9}, {Tag: classfile.TagMethodref, A: 2, B: 9}, {Tag: classfile.TagInterfaceMethodref, A: 2, B: 9},
		{Tag: classfile.TagMethodHandle, A: 6, B: 11}, {Tag: classfile.TagMethodType, A: 1},
		{Tag: classfile.TagDynamic, A: 0x102, B: 9}, {Tag: classfile.TagInvokeDynamic, A: 0x103, B: 9}, {Tag: classfile.TagModule, A: 1}, {Tag: classfile.TagPackage, A: 1},
		{Tag: classfile.TagDouble, Bits: 0xfff0000000000001}, {},
	}
	if c.Pool.Len() != len(want) {
		t.Errorf("%d indices, want %d", c.Pool.Len(), len(want))
	}
	for i := range c.Pool.Len() + 2 {
		w := classfile.Constant{}
		if i < len(want) {
			w = want[i]
		}
		if got := c.Pool.At(uint16(i)); got != w {
			t.Errorf("constant %d: %+v, want %+v", i, got, w)
		}
	}
	if got := c.Append(nil); !bytes.Equal(got, data) {
		t.Errorf("written again: %x", got)
	}
	addAll(t, want, c)
}

// addAll builds the same pool with Add.
func addAll(t *testing.T, constants []classfile.Constant, c *classfile.Class) {
	t.Helper()
	var built classfile.Pool
	for i, k := range constants {
		if k.Tag == classfile.TagNone {
			continue
		}
		if got, err := built.Add(k); err != nil || int(got) != i {
			t.Errorf("Add(%+v) = %d, %v, want %d", k, got, err, i)
		}
	}
	if got, want := built.Append(nil), c.Pool.Append(nil); !bytes.Equal(got, want) {
		t.Errorf("built by Add:\n%x, want\n%x", got, want)
	}
	for i := range built.Len() {
		if got := built.At(uint16(i)); got != constants[i] {
			t.Errorf("constant %d after Add: %+v, want %+v", i, got, constants[i])
		}
	}
}

func TestFollow(t *testing.T) {
	c, err := classfile.Read(withConstants(t, "0015", everyConstant))
	if err != nil {
		t.Fatal(err)
	}
	p := &c.Pool
	for i := range uint16(30) {
		tag := p.Tag(i)
		text, ok := p.UTF8(i)
		if ok != (tag == classfile.TagUtf8) || (i == 1 && text != "A") {
			t.Errorf("UTF8(%d) = %q, %v", i, text, ok)
		}
		name, ok := p.Class(i)
		if ok != (tag == classfile.TagClass) || ok && name != "A" {
			t.Errorf("Class(%d) = %q, %v", i, name, ok)
		}
		name, desc, ok := p.NameAndType(i)
		if ok != (tag == classfile.TagNameAndType) || ok && (name != "A" || desc != "") {
			t.Errorf("NameAndType(%d) = %q, %q, %v", i, name, desc, ok)
		}
		ref, ok := p.Ref(i)
		if ok != (tag >= classfile.TagFieldref && tag <= classfile.TagInterfaceMethodref) || ok && ref != (classfile.Ref{Tag: tag, Class: "A", Name: "A"}) {
			t.Errorf("Ref(%d) = %+v, %v", i, ref, ok)
		}
	}
}

func TestBrokenPools(t *testing.T) {
	tests := []struct{ count, constants, want string }{
		{"0000", "", "constant_pool at offset 10: count is 0"},
		{"ffff", "", "constant_pool at offset 10: 65534 elements of at least 3 bytes, 21 bytes are left"},
		{"0004", "02 0001", "constant_pool at offset 17: constant 3 of 3 has unknown tag 2"},
		{"0004", "00 0001", "constant_pool at offset 17: constant 3 of 3 has unknown tag 0"},
		{"0004", "0d 0001", "constant_pool at offset 17: constant 3 of 3 has unknown tag 13"},
		{"0004", "15 0001", "constant_pool at offset 17: constant 3 of 3 has unknown tag 21"},
		{"0004", "ff 0001", "constant_pool at offset 17: constant 3 of 3 has unknown tag 255"},
		{"0004", "01 0020 0000", "constant_pool at offset 17: constant 3 of 3 (Utf8) is cut off"},
		{"0004", "05 0000000000000000", "constant_pool at offset 17: constant 3 (Long) takes an index beyond the count"},
		{"0004", "06 0000000000000000", "constant_pool at offset 17: constant 3 (Double) takes an index beyond the count"},
		{"0004", "07 0002", "constant_pool at offset 17: constant 3 (Class) refers to a constant of the wrong kind"},
		{"0004", "07 0000", "constant_pool at offset 17: constant 3 (Class) refers to a constant of the wrong kind"},
		{"0004", "07 0004", "constant_pool at offset 17: constant 3 (Class) refers to a constant of the wrong kind"},
		{"0004", "08 0003", "constant_pool at offset 17: constant 3 (String) refers to a constant of the wrong kind"},
		{"0004", "0c 0001 0002", "constant_pool at offset 17: constant 3 (NameAndType) refers to a constant of the wrong kind"},
		{"0004", "09 0002 0001", "constant_pool at offset 17: constant 3 (Fieldref) refers to a constant of the wrong kind"},
		{"0005", "0c 0001 0001 0a 0001 0003", "constant_pool at offset 22: constant 4 (Methodref) refers to a constant of the wrong kind"},
		{"0004", "10 0002", "constant_pool at offset 17: constant 3 (MethodType) refers to a constant of the wrong kind"},
		{"0004", "11 0000 0001", "constant_pool at offset 17: constant 3 (Dynamic) refers to a constant of the wrong kind"},
		{"0006", "05 0000000000000000 08 0004", "constant_pool at offset 26: constant 5 (String) refers to a constant of the wrong kind"},
	}
	for _, test := range tests {
		c, err := classfile.Read(withConstants(t, test.count, test.constants))
		if c != nil || err == nil || err.Error() != "class file: "+test.want {
			t.Errorf("%s %s:\n%v, want\n%s", test.count, test.constants, err, test.want)
		}
	}
}

// TestMethodHandles compares which kinds may refer to which constants with JVMS 4.4.8.
func TestMethodHandles(t *testing.T) {
	const field, method, imethod = 1, 2, 4
	allowed := []int{1: field, 2: field, 3: field, 4: field, 5: method, 6: method | imethod, 7: method | imethod, 8: method, 9: imethod, 10: 0}
	for kind := range allowed {
		for bit, tag := range []int{9, 10, 11} {
			data := withConstants(t, "0006", fmt.Sprintf("0c 0001 0001  %02x 0002 0003  0f %02x 0004", tag, kind))
			_, err := classfile.Read(data)
			if (err == nil) != (allowed[kind]>>bit&1 == 1) {
				t.Errorf("kind %d, tag %d: %v", kind, tag, err)
			}
		}
	}
}

func TestAddLimits(t *testing.T) {
	var p classfile.Pool
	if got := p.Append(nil); p.Len() != 1 || !bytes.Equal(got, []byte{0, 1}) {
		t.Errorf("the zero pool has %d indices and is written as %x", p.Len(), got)
	}
	if _, err := p.Add(classfile.Constant{Tag: classfile.TagUtf8, Text: strings.Repeat("x", 65536)}); !errors.Is(err, classfile.ErrTooLong) {
		t.Errorf("a long text: %v", err)
	}
	for _, tag := range []classfile.Tag{0, 2, 13, 14, 21, 255} {
		if _, err := p.Add(classfile.Constant{Tag: tag}); err == nil {
			t.Errorf("tag %d was added", tag)
		}
	}
	for i := 1; i < 65534; i++ {
		if got, err := p.Add(classfile.Constant{Tag: classfile.TagInteger}); err != nil || int(got) != i {
			t.Fatalf("constant %d: %d, %v", i, got, err)
		}
	}
	if _, err := p.Add(classfile.Constant{Tag: classfile.TagLong}); !errors.Is(err, classfile.ErrFull) {
		t.Errorf("a long in the last index: %v", err)
	}
	if i, err := p.Add(classfile.Constant{Tag: classfile.TagInteger}); err != nil || i != 65534 {
		t.Errorf("the last index: %d, %v", i, err)
	}
	if _, err := p.Add(classfile.Constant{Tag: classfile.TagInteger}); !errors.Is(err, classfile.ErrFull) {
		t.Errorf("beyond the last index: %v", err)
	}
}

// TestAddCopies checks that adding constants leaves the bytes of the file alone, although the pool aliases them.
func TestAddCopies(t *testing.T) {
	data := withConstants(t, "0003", "")
	before := slices.Clone(data)
	c, err := classfile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	i, err := c.Pool.Add(classfile.Constant{Tag: classfile.TagUtf8, Text: "new"})
	if err != nil || i != 3 {
		t.Fatalf("Add = %d, %v", i, err)
	}
	if !bytes.Equal(data, before) {
		t.Error("the file has changed")
	}
	want := withConstants(t, "0004", "01 0003 'new'")
	if got := c.Append(nil); !bytes.Equal(got, want) {
		t.Errorf("written:\n%x, want\n%x", got, want)
	}
	if text, ok := c.Pool.UTF8(3); text != "new" || !ok {
		t.Errorf("UTF8(3) = %q, %v", text, ok)
	}
}

func TestTagString(t *testing.T) {
	for tag, want := range map[classfile.Tag]string{0: "nothing", 1: "Utf8", 2: "tag 2", 11: "InterfaceMethodref", 20: "Package", 21: "tag 21", 255: "tag 255"} {
		if got := tag.String(); got != want {
			t.Errorf("tag %d is %q, want %q", tag, got, want)
		}
	}
}
