package classfile_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/classfile"
)

// unhex reads hexadecimal digits; blanks are for the eye, and a text between quotes stands for its bytes.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	var out []byte
	for i, part := range strings.Split(s, "'") {
		if i%2 == 1 {
			out = append(out, part...)
			continue
		}
		b, err := hex.DecodeString(strings.Join(strings.Fields(part), ""))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b...)
	}
	return out
}

// attributePool has the name of an attribute at index 1, and names for attributes inside it at 2 and 3.
func attributePool(t testing.TB, name string) *classfile.Pool {
	t.Helper()
	p := &classfile.Pool{}
	for _, text := range []string{name, "LineNumberTable", "Odd"} {
		if _, err := p.Add(classfile.Constant{Tag: classfile.TagUtf8, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// nested are the envelopes of the attributes inside the examples of Code and Record; they are compared by their names and bytes.
type nested struct {
	name uint16
	info string
}

type attributeCase struct {
	name string
	info string
	want classfile.Value // attributes inside are left out
	in   []nested
	// open says that no length or count bounds the content, so that cutting it off or adding to it goes unnoticed.
	open bool
}

func use(kind uint16, pairs ...classfile.ElementPair) classfile.AnnotationUse {
	return classfile.AnnotationUse{Type: kind, Pairs: pairs}
}

// attributeCases has at least one example of each attribute, made by hand from the tables of JVMS 4.7. No two numbers in an example are equal if they could be
// mistaken for each other.
var attributeCases = []attributeCase{
	{name: "ConstantValue", info: "0102", want: &classfile.ConstantValue{Value: 0x102}},
	{name: "Code", info: "0102 0304 00000003 2a57b1 0001 0001 0002 0003 0007 0002 0002 00000006 0001 0005 0009 0003 00000000",
		want: &classfile.Code{MaxStack: 0x102, MaxLocals: 0x304, Bytes: []byte{0x2a, 0x57, 0xb1},
			Exceptions: []classfile.Exception{{Start: 1, End: 2, Handler: 3, Catch: 7}}},
		in: []nested{{2, "0001 0005 0009"}, {3, ""}}},
	{name: "Code", info: "0000 0000 00000000 0000 0000", want: &classfile.Code{Bytes: []byte{}}},
	{name: "StackMapTable", info: "000d 00 3f 4001 7f070102 f7010302 f80104 f90105 fa0106 fb0107 fc010800 fd0109 03 04 fe010a 05 06 080203" +
		"ff010b 0003 00 070204 01 0002 03 04",
		want: &classfile.StackMapTable{Frames: []classfile.Frame{
			{Kind: 0}, {Kind: 63, Delta: 63},
			{Kind: 64, Stack: []classfile.VerificationType{{Tag: 1}}},
			{Kind: 127, Delta: 63, Stack: []classfile.VerificationType{{Tag: 7, Data: 0x102}}},
			{Kind: 247, Delta: 0x103, Stack: []classfile.VerificationType{{Tag: 2}}},
			{Kind: 248, Delta: 0x104}, {Kind: 249, Delta: 0x105}, {Kind: 250, Delta: 0x106}, {Kind: 251, Delta: 0x107},
			{Kind: 252, Delta: 0x108, Locals: []classfile.VerificationType{{Tag: 0}}},
			{Kind: 253, Delta: 0x109, Locals: []classfile.VerificationType{{Tag: 3}, {Tag: 4}}},
			{Kind: 254, Delta: 0x10a, Locals: []classfile.VerificationType{{Tag: 5}, {Tag: 6}, {Tag: 8, Data: 0x203}}},
			{Kind: 255, Delta: 0x10b, Locals: []classfile.VerificationType{{Tag: 0}, {Tag: 7, Data: 0x204}, {Tag: 1}},
				Stack: []classfile.VerificationType{{Tag: 3}, {Tag: 4}}},
		}}},
	{name: "Exceptions", info: "0002 0102 0103", want: &classfile.Exceptions{Classes: []uint16{0x102, 0x103}}},
	{name: "InnerClasses", info: "0002 0102 0103 0104 4009 0105 0000 0000 0000", want: &classfile.InnerClasses{Classes: []classfile.InnerClass{
		{Inner: 0x102, Outer: 0x103, Name: 0x104, Access: classfile.Public | classfile.Static | classfile.Enum}, {Inner: 0x105}}}},
	{name: "EnclosingMethod", info: "0102 0103", want: &classfile.EnclosingMethod{Class: 0x102, Method: 0x103}},
	{name: "Synthetic", want: classfile.SyntheticMark{}},
	{name: "Deprecated", want: classfile.DeprecatedMark{}},
	{name: "Signature", info: "0102", want: &classfile.Signature{Text: 0x102}},
	{name: "SourceFile", info: "0102", want: &classfile.SourceFile{Name: 0x102}},
	{name: "SourceDebugExtension", info: "'SMAP' 00 ff", want: &classfile.SourceDebugExtension{Text: []byte("SMAP\x00\xff")}, open: true},
	{name: "LineNumberTable", info: "0002 0000 0102 0003 0101", want: &classfile.LineNumberTable{Lines: []classfile.Line{{0, 0x102}, {3, 0x101}}}},
	{name: "LocalVariableTable", info: "0001 0102 0103 0104 0105 0106", want: &classfile.LocalVariableTable{Variables: []classfile.LocalVariable{
		{Start: 0x102, Length: 0x103, Name: 0x104, Type: 0x105, Index: 0x106}}}},
	{name: "LocalVariableTypeTable", info: "0001 0102 0103 0104 0105 0106", want: &classfile.LocalVariableTypeTable{Variables: []classfile.LocalVariable{
		{Start: 0x102, Length: 0x103, Name: 0x104, Type: 0x105, Index: 0x106}}}},
	{name: "RuntimeVisibleAnnotations", info: "0002 0102 0000 0103 000b 0011'B'0021 0012'C'0022 0013'D'0023 0014'F'0024 0015'I'0025 0016'J'0026 0017'S'0027 0018'Z'0028" +
		"0019's'0029 001a'e'002a 002b 001b'c'002c",
		want: &classfile.Annotations{List: []classfile.AnnotationUse{use(0x102), use(0x103,
			constant(0x11, 'B'), constant(0x12, 'C'), constant(0x13, 'D'), constant(0x14, 'F'), constant(0x15, 'I'), constant(0x16, 'J'),
			constant(0x17, 'S'), constant(0x18, 'Z'), constant(0x19, 's'),
			classfile.ElementPair{Name: 0x1a, Value: classfile.ElementValue{Tag: 'e', Const: 0x2a, Name: 0x2b}},
			classfile.ElementPair{Name: 0x1b, Value: classfile.ElementValue{Tag: 'c', Const: 0x2c}})}}},
	{name: "RuntimeInvisibleAnnotations", info: "0001 0102 0002 0011 '@' 0103 0001 0012 's' 0022  0013 '[' 0002 's' 0023 '[' 0000",
		want: &classfile.Annotations{List: []classfile.AnnotationUse{use(0x102,
			classfile.ElementPair{Name: 0x11, Value: classfile.ElementValue{Tag: '@', Annotation: ptr(use(0x103, constant(0x12, 's', 0x22)))}},
			classfile.ElementPair{Name: 0x13, Value: classfile.ElementValue{Tag: '[', Array: []classfile.ElementValue{{Tag: 's', Const: 0x23}, {Tag: '['}}}})}}},
	{name: "RuntimeVisibleAnnotations", info: "0001 0102 0000", want: &classfile.Annotations{List: []classfile.AnnotationUse{use(0x102)}}},
	{name: "RuntimeVisibleParameterAnnotations", info: "02 0001 0102 0000 0000",
		want: &classfile.ParameterAnnotations{Parameters: [][]classfile.AnnotationUse{{use(0x102)}, nil}}},
	{name: "RuntimeInvisibleParameterAnnotations", info: "01 0000", want: &classfile.ParameterAnnotations{Parameters: [][]classfile.AnnotationUse{nil}}},
	{name: "RuntimeVisibleTypeAnnotations", info: "0005 00 07 00 0101 0000  10 ffff 01 0300 0102 0000  11 0102 00 0103 0000  13 00 0104 0000  16 03 00 0105 0000",
		want: &classfile.TypeAnnotations{List: []classfile.TypeAnnotation{
			typeUse(0x00, "\x07", "", 0x101), typeUse(0x10, "\xff\xff", "\x03\x00", 0x102), typeUse(0x11, "\x01\x02", "", 0x103),
			typeUse(0x13, "", "", 0x104), typeUse(0x16, "\x03", "", 0x105)}}},
	{name: "RuntimeInvisibleTypeAnnotations", info: "0004 40 0002 000100020003 000400050006 00 0101 0000  42 0007 02 0000 0301 0102 0000  43 0008 00 0103 0000" +
		"4b 0009 0a 00 0104 0001 0011 's' 0021",
		want: &classfile.TypeAnnotations{List: []classfile.TypeAnnotation{
			typeUse(0x40, "\x00\x02\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06", "", 0x101), typeUse(0x42, "\x00\x07", "\x00\x00\x03\x01", 0x102),
			typeUse(0x43, "\x00\x08", "", 0x103), typeUse(0x4b, "\x00\x09\x0a", "", 0x104, constant(0x11, 's', 0x21))}}},
	{name: "RuntimeVisibleTypeAnnotations", info: "0001 13 00 0104 0000", want: &classfile.TypeAnnotations{List: []classfile.TypeAnnotation{typeUse(0x13, "", "", 0x104)}}},
	{name: "AnnotationDefault", info: "'[' 0001 's' 0102", want: &classfile.AnnotationDefault{
		Value: classfile.ElementValue{Tag: '[', Array: []classfile.ElementValue{{Tag: 's', Const: 0x102}}}}},
	{name: "BootstrapMethods", info: "0002 0102 0002 0103 0104 0105 0000", want: &classfile.BootstrapMethods{Methods: []classfile.BootstrapMethod{
		{Handle: 0x102, Arguments: []uint16{0x103, 0x104}}, {Handle: 0x105}}}},
	{name: "BootstrapMethods", info: "0001 0105 0000", want: &classfile.BootstrapMethods{Methods: []classfile.BootstrapMethod{{Handle: 0x105}}}},
	{name: "MethodParameters", info: "02 0102 8010 0000 1000", want: &classfile.MethodParameters{Parameters: []classfile.Parameter{
		{Name: 0x102, Access: classfile.Final | classfile.Mandated}, {Access: classfile.Synthetic}}}},
	{name: "Module", info: "0101 0020 0102  0001 0103 8060 0104  0001 0105 1000 0002 0106 0107  0001 0108 0000 0000  0002 0109 010a  0001 010b 0001 010c",
		want: &classfile.ModuleDescriptor{Name: 0x101, Access: classfile.Open, Version: 0x102,
			Requires: []classfile.ModuleRequires{{Module: 0x103, Access: classfile.Mandated | classfile.StaticPhase | classfile.Transitive, Version: 0x104}},
			Exports:  []classfile.ModuleOpening{{Package: 0x105, Access: classfile.Synthetic, To: []uint16{0x106, 0x107}}},
			Opens:    []classfile.ModuleOpening{{Package: 0x108}},
			Uses:     []uint16{0x109, 0x10a},
			Provides: []classfile.ModuleProvides{{Service: 0x10b, With: []uint16{0x10c}}}}},
	{name: "Module", info: "0101 0000 0000 0000 0000 0000 0000 0001 0102 0000", want: &classfile.ModuleDescriptor{Name: 0x101, Provides: []classfile.ModuleProvides{{Service: 0x102}}}},
	{name: "ModulePackages", info: "0001 0102", want: &classfile.ModulePackages{Packages: []uint16{0x102}}},
	{name: "ModuleMainClass", info: "0102", want: &classfile.ModuleMainClass{Class: 0x102}},
	{name: "NestHost", info: "0102", want: &classfile.NestHost{Class: 0x102}},
	{name: "NestMembers", info: "0002 0102 0103", want: &classfile.NestMembers{Classes: []uint16{0x102, 0x103}}},
	{name: "Record", info: "0002 0102 0103 0001 0003 00000002 abcd  0104 0105 0000", want: &classfile.Record{Components: []classfile.RecordComponent{
		{Name: 0x102, Descriptor: 0x103}, {Name: 0x104, Descriptor: 0x105}}}, in: []nested{{3, "abcd"}}},
	{name: "Record", info: "0001 0104 0105 0000", want: &classfile.Record{Components: []classfile.RecordComponent{{Name: 0x104, Descriptor: 0x105}}}},
	{name: "PermittedSubclasses", info: "0001 0102", want: &classfile.PermittedSubclasses{Classes: []uint16{0x102}}},
	{name: "ModuleTarget", info: "0102", want: &classfile.ModuleTarget{Platform: 0x102}},
	{name: "ModuleHashes", info: "0102 0002 0103 0003 abcdef 0104 0000", want: &classfile.ModuleHashes{Algorithm: 0x102, Modules: []classfile.ModuleHash{
		{Module: 0x103, Hash: []byte{0xab, 0xcd, 0xef}}, {Module: 0x104, Hash: []byte{}}}}},
	{name: "ModuleHashes", info: "0102 0001 0104 0000", want: &classfile.ModuleHashes{Algorithm: 0x102, Modules: []classfile.ModuleHash{{Module: 0x104}}}},
	{name: "ModuleResolution", info: "0102", want: &classfile.ModuleResolution{Access: 0x102}},
	{name: "CharacterRangeTable", info: "0001 0102 0103 01020304 01020305 0104", want: &classfile.CharacterRangeTable{Ranges: []classfile.CharacterRange{
		{Start: 0x102, End: 0x103, RangeStart: 0x1020304, RangeEnd: 0x1020305, Flags: 0x104}}}},
	{name: "CompilationID", info: "0102", want: &classfile.CompilationID{Text: 0x102}},
	{name: "SourceID", info: "0102", want: &classfile.SourceID{Text: 0x102}},
}

func ptr[T any](v T) *T { return &v }

// constant is an element with a constant, by default the one 0x10 above the name.
func constant(name uint16, tag byte, index ...uint16) classfile.ElementPair {
	v := classfile.ElementValue{Tag: tag, Const: name + 0x10}
	if len(index) > 0 {
		v.Const = index[0]
	}
	return classfile.ElementPair{Name: name, Value: v}
}

func typeUse(target uint8, info, path string, kind uint16, pairs ...classfile.ElementPair) classfile.TypeAnnotation {
	return classfile.TypeAnnotation{Target: target, TargetInfo: []byte(info), Path: []byte(path), Annotation: use(kind, pairs...)}
}

// anyPlace is one of the places of an attribute.
func anyPlace(name string) classfile.Place {
	set := classfile.Known()[name]
	return set & -set
}

func TestAttributes(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range attributeCases {
		tested[c.name] = true
		t.Run(c.name, func(t *testing.T) { testAttribute(t, c) })
	}
	for _, name := range slices.Sorted(maps.Keys(classfile.Known())) {
		if !tested[name] {
			t.Errorf("no example of %s", name)
		}
	}
}

func testAttribute(t *testing.T, c attributeCase) {
	pool, info := attributePool(t, c.name), unhex(t, c.info)
	a := classfile.Attribute{Name: 1, Info: info}
	got, err := a.Value(pool, anyPlace(c.name))
	if err != nil {
		t.Fatal(err)
	}
	if again := got.Append([]byte("x")); !bytes.Equal(again, append([]byte("x"), info...)) {
		t.Errorf("written again:\n%x, want\n%x", again[1:], info)
	}
	checkNested(t, c.in, cutNested(got))
	if !reflect.DeepEqual(normal(got), normal(c.want)) {
		t.Errorf("decoded:\n%+v, want\n%+v", got, c.want)
	}
	if !c.open {
		checkLengths(t, c.name, pool, info)
	}
}

// cutNested takes the attributes out of the value.
func cutNested(v classfile.Value) (all []classfile.Attribute) {
	switch v := v.(type) {
	case *classfile.Code:
		all, v.Attributes = v.Attributes, nil
	case *classfile.Record:
		for i := range v.Components {
			all = append(all, v.Components[i].Attributes...)
			v.Components[i].Attributes = nil
		}
	}
	return all
}

func checkNested(t *testing.T, want []nested, got []classfile.Attribute) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d attributes inside, want %d", len(got), len(want))
	}
	for i, w := range want {
		if info := unhex(t, w.info); got[i].Name != w.name || !bytes.Equal(got[i].Info, info) {
			t.Errorf("attribute %d inside is %d %x, want %d %x", i, got[i].Name, got[i].Info, w.name, info)
		}
	}
}

// normal turns empty slices into nil ones: there is no difference between them in a class file.
func normal(v any) any {
	out := reflect.New(reflect.TypeOf(v)).Elem()
	out.Set(reflect.ValueOf(v))
	normalize(out)
	return out.Interface()
}

func normalize(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			normalize(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			normalize(v.Field(i))
		}
	case reflect.Slice:
		if v.Len() == 0 && v.CanSet() {
			v.SetZero()
		}
		for i := range v.Len() {
			normalize(v.Index(i))
		}
	}
}

// checkLengths cuts the content off at each place and makes it longer.
func checkLengths(t *testing.T, name string, pool *classfile.Pool, info []byte) {
	t.Helper()
	inputs := [][]byte{append(slices.Clone(info), 0)}
	for n := range info {
		inputs = append(inputs, info[:n])
	}
	for _, input := range inputs {
		a := classfile.Attribute{Name: 1, Offset: 1000, Info: input}
		v, err := a.Value(pool, anyPlace(name))
		var bad *classfile.FormatError
		if v != nil || !errors.As(err, &bad) {
			t.Errorf("%d of %d bytes: %v, %v", len(input), len(info), v, err)
			continue
		}
		if bad.Structure != name+"_attribute" && bad.Structure != "attribute_info" {
			t.Errorf("%d of %d bytes: the structure is %q", len(input), len(info), bad.Structure)
		}
		if bad.Offset < 1000 || bad.Offset > 1000+len(input) {
			t.Errorf("%d of %d bytes: the offset is %d", len(input), len(info), bad.Offset)
		}
	}
	// The errors must leave nothing behind in the pool.
	a := classfile.Attribute{Name: 1, Info: info}
	if _, err := a.Value(pool, anyPlace(name)); err != nil {
		t.Errorf("after errors: %v", err)
	}
}

// TestTargets compares the lengths of target_info with JVMS table 4.7.20-A and the structures it names.
func TestTargets(t *testing.T) {
	sizes := map[int]int{0x00: 1, 0x01: 1, 0x10: 2, 0x11: 2, 0x12: 2, 0x13: 0, 0x14: 0, 0x15: 0, 0x16: 1, 0x17: 2, 0x40: 2, 0x41: 2, 0x42: 2,
		0x43: 2, 0x44: 2, 0x45: 2, 0x46: 2, 0x47: 3, 0x48: 3, 0x49: 3, 0x4a: 3, 0x4b: 3}
	for target := range 256 {
		for size := range 5 {
			info := append([]byte{0, 1, byte(target)}, make([]byte, size)...) // a table of ranges is empty
			a := classfile.Attribute{Name: 1, Info: append(info, 0, 0, 5, 0, 0)}
			v, err := a.Value(attributePool(t, "RuntimeVisibleTypeAnnotations"), classfile.InCode)
			want, known := sizes[target]
			if known && want == size {
				if err != nil || v.(*classfile.TypeAnnotations).List[0].Annotation.Type != 5 {
					t.Errorf("target %#x with %d bytes: %+v, %v", target, size, v, err)
				}
			} else if err == nil {
				t.Errorf("target %#x with %d bytes: %+v", target, size, v)
			}
		}
	}
}

// TestPlaces compares the places with table 4.7-C of the specification; the attributes of the JDK's own tools follow.
func TestPlaces(t *testing.T) {
	const (
		c = classfile.InClass
		f = classfile.InField
		m = classfile.InMethod
		b = classfile.InCode
		r = classfile.InRecord
	)
	want := map[string]classfile.Place{
		"SourceFile": c, "InnerClasses": c, "EnclosingMethod": c, "SourceDebugExtension": c, "BootstrapMethods": c, "Module": c, "ModulePackages": c,
		"ModuleMainClass": c, "NestHost": c, "NestMembers": c, "Record": c, "PermittedSubclasses": c,
		"ConstantValue": f,
		"Code":          m, "Exceptions": m, "RuntimeVisibleParameterAnnotations": m, "RuntimeInvisibleParameterAnnotations": m, "AnnotationDefault": m, "MethodParameters": m,
		"Synthetic": c | f | m, "Deprecated": c | f | m, "Signature": c | f | m | r,
		"RuntimeVisibleAnnotations": c | f | m | r, "RuntimeInvisibleAnnotations": c | f | m | r,
		"LineNumberTable": b, "LocalVariableTable": b, "LocalVariableTypeTable": b, "StackMapTable": b,
		"RuntimeVisibleTypeAnnotations": c | f | m | b | r, "RuntimeInvisibleTypeAnnotations": c | f | m | b | r,
		"ModuleTarget": c, "ModuleHashes": c, "ModuleResolution": c, "CharacterRangeTable": b, "CompilationID": c, "SourceID": c,
	}
	if got := classfile.Known(); !maps.Equal(got, want) {
		t.Errorf("places:\n%v, want\n%v", got, want)
	}
	for name, places := range want {
		for place := c; place <= r; place <<= 1 {
			a := classfile.Attribute{Name: 1, Info: []byte{1, 2, 3}}
			v, _ := a.Value(attributePool(t, name), place)
			if _, kept := v.(classfile.Unknown); kept != (places&place == 0) {
				t.Errorf("%s in place %d: %T", name, place, v)
			}
		}
	}
}

func TestUnknownAttribute(t *testing.T) {
	info := []byte{1, 2, 3}
	for name, pool := range map[string]*classfile.Pool{"unknown name": attributePool(t, "ScalaSig"), "no name": {}} {
		a := classfile.Attribute{Name: 1, Info: info}
		v, err := a.Value(pool, classfile.InClass)
		if err != nil || !reflect.DeepEqual(v, classfile.Unknown(info)) {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
}

// TestBrokenAttributes has contents that are wrong in other ways than their length.
func TestBrokenAttributes(t *testing.T) {
	tests := []struct{ name, info, want string }{
		{"StackMapTable", "0001 80", "class file: StackMapTable_attribute at offset 102: frame_type 128 is reserved"},
		{"StackMapTable", "0001 f6", "class file: StackMapTable_attribute at offset 102: frame_type 246 is reserved"},
		{"StackMapTable", "0001 40 09", "class file: StackMapTable_attribute at offset 103: verification type 9 is unknown"},
		{"RuntimeVisibleAnnotations", "0001 0001 0001 0001 'x' 0001", "class file: RuntimeVisibleAnnotations_attribute at offset 108: element_value has unknown tag 120"},
		{"RuntimeVisibleTypeAnnotations", "0001 18 00000000 00000000", "class file: RuntimeVisibleTypeAnnotations_attribute at offset 102: target_type 0x18 is unknown"},
		{"RuntimeVisibleTypeAnnotations", "0001 40 ffff 0000 0000 0000", "class file: RuntimeVisibleTypeAnnotations_attribute at offset 103: needs 393212 bytes, 8 are left"},
		{"RuntimeVisibleTypeAnnotations", "0002 4b 000000 01 0000 0001 0000 40 00", "class file: RuntimeVisibleTypeAnnotations_attribute at offset 114: needs 2 bytes, 1 are left"},
		{"Code", "0000 0000 ffffffff 0000", "class file: Code_attribute at offset 108: code_length is 4294967295, 2 bytes are left"},
		{"Code", "0000 0000 00000000 0000 0001 0009 00000000", "class file: attribute_info at offset 112: name is not a Utf8"},
		{"Code", "0000 0000 00000000 0000 0001 0003 ffffffff", "class file: attribute_info at offset 118: length is 4294967295, 0 bytes are left"},
		{"Code", "0000 0000 00000000 0000 0001 0003 00000000 00", "class file: Code_attribute at offset 118: 1 bytes too many"},
		{"Record", "0002 0001 0001 0001 0003 00000000 0001", "class file: Record_attribute at offset 116: needs 2 bytes, 0 are left"},
		{"Exceptions", "ffff 0001", "class file: Exceptions_attribute at offset 102: 65535 elements of at least 2 bytes, 2 bytes are left"},
		{"ModuleHashes", "0001 0001 0001 ffff 00", "class file: ModuleHashes_attribute at offset 108: needs 65535 bytes, 1 are left"},
	}
	for _, test := range tests {
		a := classfile.Attribute{Name: 1, Offset: 100, Info: unhex(t, test.info)}
		v, err := a.Value(attributePool(t, test.name), anyPlace(test.name))
		if v != nil || err == nil || err.Error() != test.want {
			t.Errorf("%s %s:\n%v, %v, want\n%s", test.name, test.info, v, err, test.want)
		}
	}
}

func TestNesting(t *testing.T) {
	for depth, ok := range map[int]bool{201: true, 202: false} {
		info := append(bytes.Repeat([]byte{'[', 0, 1}, depth-1), 's', 0, 1)
		a := classfile.Attribute{Name: 1, Info: info}
		v, err := a.Value(attributePool(t, "AnnotationDefault"), classfile.InMethod)
		if (err == nil) != ok {
			t.Errorf("depth %d: %v", depth, err)
		}
		if ok && !bytes.Equal(v.Append(nil), info) {
			t.Errorf("depth %d: other bytes", depth)
		}
	}
}

func TestSet(t *testing.T) {
	c := &classfile.Class{Attributes: []classfile.Attribute{{Name: 1, Info: []byte{9, 9}}}}
	before := c.Append(nil)
	c.Attributes[0].Set(&classfile.NestMembers{Classes: []uint16{7}})
	want := append(slices.Clone(before[:len(before)-6]), 0, 0, 0, 4, 0, 1, 0, 7)
	if got := c.Append(nil); !bytes.Equal(got, want) {
		t.Errorf("after Set: %x, want %x", got, want)
	}
	c.Attributes[0].Set(nil)
	if got := c.Append(nil); !bytes.Equal(got, before) {
		t.Errorf("after Set(nil): %x, want %x", got, before)
	}
}

// TestTablesAreApart appends to a table and checks that its neighbour in memory is not written to.
func TestTablesAreApart(t *testing.T) {
	a := classfile.Attribute{Name: 1, Info: unhex(t, "0003 0102 0001 0103 0105 0001 0106 0107 0001 0108")}
	v, err := a.Value(attributePool(t, "BootstrapMethods"), classfile.InClass)
	if err != nil {
		t.Fatal(err)
	}
	methods := v.(*classfile.BootstrapMethods).Methods
	for i := range methods {
		methods[i].Arguments = append(methods[i].Arguments, 9)
	}
	for i, want := range []uint16{0x103, 0x106, 0x108} {
		if got := methods[i].Arguments; !slices.Equal(got, []uint16{want, 9}) {
			t.Errorf("table %d is %#x", i, got)
		}
	}
}
