package classfile_test

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"winnow/internal/jvm/classfile"
)

// withAttribute is the small class with one attribute of the class, or of a method, with the given content.
func withAttribute(t testing.TB, name string, place classfile.Place, info []byte) []byte {
	t.Helper()
	data := unhex(t, smallHead+"0004"+smallPool)
	data = append(binary.BigEndian.AppendUint16(append(data, 1), uint16(len(name))), name...)
	data = append(data, unhex(t, "0020 0002 0000 0000 0000")...)
	if place == classfile.InMethod {
		data = append(data, unhex(t, "0001 0001 0001 0001")...)
	} else {
		data = append(data, unhex(t, "0000")...)
	}
	data = append(data, 0, 1, 0, 3)
	data = append(binary.BigEndian.AppendUint32(data, uint32(len(info))), info...)
	if place == classfile.InMethod {
		data = append(data, 0, 0)
	}
	return data
}

// nestedClaims is an annotation value that nests arrays as deep as allowed, each of which claims as many elements as the bytes behind it could hold.
func nestedClaims(size int) []byte {
	info := make([]byte, 0, size)
	for range 200 {
		n := (size - len(info) - 3) / 3
		info = append(info, '[', byte(min(n, 65535)>>8), byte(min(n, 65535)))
	}
	return append(info, bytes.Repeat([]byte{'s', 0, 1}, (size-len(info))/3)...)
}

// nestedPairs does the same with annotations inside annotations.
func nestedPairs(size int) []byte {
	info := make([]byte, 0, size)
	for range 200 {
		n := (size - len(info) - 5) / 5
		info = append(info, '@', 0, 1, byte(n>>8), byte(n), 0, 1)
	}
	return append(info, bytes.Repeat([]byte{'s', 0, 1, 0, 1}, (size-len(info))/5)...)
}

func TestHostileSizes(t *testing.T) {
	counts := strings.Repeat("ff", 40)
	tests := map[string][]byte{
		"pool":               withConstants(t, "ffff", ""),
		"pool of short text": withConstants(t, "ffff", strings.Repeat("01 0000 ", 30000)),
		"interfaces":         unhex(t, smallHead+"0003"+smallPool+"0020 0002 0000"+counts),
		"fields":             unhex(t, smallHead+"0003"+smallPool+"0020 0002 0000 0000"+counts),
		"methods":            unhex(t, smallHead+"0003"+smallPool+"0020 0002 0000 0000 0000"+counts),
		"attributes":         unhex(t, smallHead+"0003"+smallPool+"0020 0002 0000 0000 0000 0000"+counts),
		"attribute length":   unhex(t, smallHead+"0003"+smallPool+"0020 0002 0000 0000 0000 0000 0001 0001 ffffffff"),
		"attributes, many":   unhex(t, smallHead+"0003"+smallPool+"0020 0002 0000 0000 0000 0000 2710"+strings.Repeat("0001 00000000", 10000)),
		"code":               withAttribute(t, "Code", classfile.InMethod, unhex(t, "0000 0000 fffffff0"+counts)),
		"exceptions of code": withAttribute(t, "Code", classfile.InMethod, unhex(t, "0000 0000 00000000"+counts)),
		"nested annotations": withAttribute(t, "AnnotationDefault", classfile.InMethod, nestedClaims(60000)),
		"nested pairs":       withAttribute(t, "AnnotationDefault", classfile.InMethod, nestedPairs(60000)),
		"annotations":        withAttribute(t, "RuntimeVisibleAnnotations", classfile.InMethod, bytes.Repeat([]byte{0x20, 0, 0, 1}, 10000)),
		"frames":             withCode(t, "StackMapTable", append([]byte{0xea, 0x60}, make([]byte, 60000)...)),
		"frames with types":  withCode(t, "StackMapTable", append([]byte{0x75, 0x30}, bytes.Repeat([]byte{64, 0}, 30000)...)),
		"module":             withAttribute(t, "Module", classfile.InClass, unhex(t, "0001 0000 0000 0000 0100"+strings.Repeat("0001 0000 0000", 256)+counts)),
		"record":             withAttribute(t, "Record", classfile.InClass, append([]byte{0x27, 0x10}, bytes.Repeat([]byte{0, 1, 0, 1, 0, 0}, 10000)...)),
		"records that claim": withAttribute(t, "Record", classfile.InClass, bytes.Repeat([]byte{0x20, 0}, 30000)),
		"bootstrap methods":  withAttribute(t, "BootstrapMethods", classfile.InClass, append([]byte{0x27, 0x10}, bytes.Repeat([]byte{0, 1, 0, 0}, 10000)...)),
		"type annotations":   withAttribute(t, "RuntimeVisibleTypeAnnotations", classfile.InClass, append([]byte{0x27, 0x10}, bytes.Repeat([]byte{0x13, 0, 0, 1, 0, 0}, 10000)...)),
	}
	for name, data := range tests {
		got, limit := allocated(func() { _, _ = classfile.Decode(data) }), uint64(100*len(data)+64<<10)
		if got > limit {
			t.Errorf("%s: %d bytes of input allocate %d, the limit is %d", name, len(data), got, limit)
		}
	}
}

// withCode is the small class with a method whose code has one attribute.
func withCode(t testing.TB, name string, info []byte) []byte {
	t.Helper()
	data := unhex(t, smallHead+"0005"+smallPool+"01 0004 'Code'")
	data = append(binary.BigEndian.AppendUint16(append(data, 1), uint16(len(name))), name...)
	data = append(data, unhex(t, "0020 0002 0000 0000 0000 0001 0001 0001 0001 0001 0003")...)
	data = binary.BigEndian.AppendUint32(data, uint32(18+len(info)))
	data = append(data, unhex(t, "0000 0000 00000000 0000 0001 0004")...)
	data = append(binary.BigEndian.AppendUint32(data, uint32(len(info))), info...)
	return append(data, 0, 0)
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestSmallClassesAllocateLittle keeps the cost of the many small classes in sight: the outer structure takes few allocations.
func TestSmallClassesAllocateLittle(t *testing.T) {
	data := odd(t)
	if got := testing.AllocsPerRun(100, func() {
		if _, err := classfile.Read(data); err != nil {
			t.Fatal(err)
		}
	}); got > 12 {
		t.Errorf("Read takes %v allocations", got)
	}
}
