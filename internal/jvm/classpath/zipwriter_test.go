package classpath

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// A zipEntry is one entry of an archive to be written, with every way to be strange.
type zipEntry struct {
	name       string
	data       []byte
	method     uint16
	flags      uint16
	crc        uint32 // if not 0, declared instead of the right one
	size       uint32 // if not 0, declared instead of the right one
	descriptor bool   // sizes follow the data
	zip64      bool   // sizes and offset are in the extra field
}

// A zipFile is an archive to be written.
type zipFile struct {
	prefix    string // in front of the archive
	adjusted  bool   // offsets count from the start of the prefix
	comment   string
	suffix    string // behind the end record
	zip64     bool   // write a zip64 end record
	wrongEnd  bool   // no central directory where the end record says
	noEntries bool   // the end record says that there are none
	entries   []zipEntry
}

func (z zipFile) bytes(t testing.TB) []byte {
	t.Helper()
	out := []byte(z.prefix)
	base := len(z.prefix)
	if z.adjusted {
		base = 0
	}
	var central []byte
	for _, e := range z.entries {
		off := len(out) - base
		packed := e.packed(t)
		out = append(out, e.header(false, packed, off)...)
		out = append(out, packed...)
		if e.descriptor {
			out = le.AppendUint32(out, 0x08074b50)
			out = le.AppendUint32(out, crc32.ChecksumIEEE(e.data))
			out = le.AppendUint32(out, uint32(len(packed)))
			out = le.AppendUint32(out, uint32(len(e.data)))
		}
		central = append(central, e.header(true, packed, off)...)
	}
	return z.end(out, central, base)
}

func (e zipEntry) packed(t testing.TB) []byte {
	t.Helper()
	if e.method != methodDeflate {
		return e.data
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 9)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(e.data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// header writes a local header or, for the central directory, its record.
func (e zipEntry) header(central bool, packed []byte, off int) []byte {
	crc, npacked, size := crc32.ChecksumIEEE(e.data), uint32(len(packed)), uint32(len(e.data))
	if e.crc != 0 {
		crc = e.crc
	}
	if e.size != 0 {
		size = e.size
	}
	flags, offset, extra := e.flags, uint32(off), []byte(nil)
	if e.zip64 {
		extra = le.AppendUint16(le.AppendUint16(nil, zip64Extra), 24)
		for _, v := range []uint64{uint64(size), uint64(npacked), uint64(off)} {
			extra = le.AppendUint64(extra, v)
		}
		npacked, size, offset = 1<<32-1, 1<<32-1, 1<<32-1
	}
	if e.descriptor {
		flags |= 8
	}
	var b []byte
	if central {
		b = le.AppendUint32(b, sigCentral)
		b = le.AppendUint16(b, 45)
	} else {
		b = le.AppendUint32(b, sigLocal)
		if e.descriptor {
			crc, npacked, size = 0, 0, 0
		}
		if e.zip64 {
			extra = extra[:20]
			le.PutUint16(extra[2:], 16)
		}
	}
	for _, v := range []uint16{45, flags, e.method, 0, 0x21} {
		b = le.AppendUint16(b, v)
	}
	b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, crc), npacked), size)
	b = le.AppendUint16(le.AppendUint16(b, uint16(len(e.name))), uint16(len(extra)))
	if central {
		b = append(b, make([]byte, 10)...)
		b = le.AppendUint32(b, offset)
	}
	return append(append(b, e.name...), extra...)
}

func (z zipFile) end(out, central []byte, base int) []byte {
	start := len(out) - base
	out = append(out, central...)
	count, size, offset := uint16(len(z.entries)), uint32(len(central)), uint32(start)
	if z.zip64 {
		pos := len(out) - base
		out = le.AppendUint64(le.AppendUint32(out, sigEnd64), 44)
		out = le.AppendUint32(out, 45<<16|45)
		out = append(out, make([]byte, 8)...)
		for _, v := range []int{len(z.entries), len(z.entries), len(central), start} {
			out = le.AppendUint64(out, uint64(v))
		}
		out = le.AppendUint32(le.AppendUint32(out, sigLocator), 0)
		out = le.AppendUint32(le.AppendUint64(out, uint64(pos)), 1)
		count, size, offset = 1<<16-1, 1<<32-1, 1<<32-1
	}
	if z.wrongEnd {
		offset += 1 << 20
	}
	if z.noEntries {
		count = 0
	}
	out = append(le.AppendUint32(out, sigEnd), 0, 0, 0, 0)
	out = le.AppendUint16(le.AppendUint16(out, count), count)
	out = le.AppendUint32(le.AppendUint32(out, size), offset)
	out = le.AppendUint16(out, uint16(len(z.comment)))
	return append(append(out, z.comment...), z.suffix...)
}

// markedClass returns a class file whose constant V has a value: public class name { public static final int V = v; }.
func markedClass(name string, v int) []byte {
	be := binary.BigEndian
	b := be.AppendUint32(nil, 0xCAFEBABE)
	b = be.AppendUint32(b, 52)
	b = be.AppendUint16(b, 9)
	for _, s := range []string{name, "java/lang/Object", "V", "I", "ConstantValue"} {
		b = append(be.AppendUint16(append(b, 1), uint16(len(s))), s...)
	}
	b = append(b, 7, 0, 1, 7, 0, 2, 3)
	b = be.AppendUint32(b, uint32(v))
	for _, u := range []uint16{0x21, 6, 7, 0, 1, 0x19, 3, 4, 1, 5} {
		b = be.AppendUint16(b, u)
	}
	b = append(b, 0, 0, 0, 2, 0, 8)
	return append(b, 0, 0, 0, 0)
}

// markOf returns the value of the constant of a markedClass.
func markOf(class []byte) int {
	i := bytes.Index(class, []byte{7, 0, 1, 7, 0, 2, 3})
	if i < 0 {
		return -1
	}
	return int(binary.BigEndian.Uint32(class[i+7:]))
}

func class(name string, v int) zipEntry {
	return zipEntry{name: name + ".class", data: markedClass(name, v), method: methodDeflate}
}

func text(name, content string) zipEntry { return zipEntry{name: name, data: []byte(content)} }
