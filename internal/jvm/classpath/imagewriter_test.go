package classpath

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// An imageWriter makes run-time images for tests.
type imageWriter struct {
	order   binary.ByteOrder
	files   []imageFile
	spare   int    // slots without a resource
	plugin  string // if not "", the name of the plug-in that the contents claim to be compressed by; they really are by zip
	layers  int    // how often a content is compressed, 1 if 0
	strings []byte
}

type imageFile struct {
	module, name string
	data         []byte
}

func (w *imageWriter) text(s string) uint64 {
	if i := bytes.Index(w.strings, []byte("\x00"+s+"\x00")); i >= 0 {
		return uint64(i + 1)
	}
	off := len(w.strings)
	w.strings = append(append(w.strings, s...), 0)
	return uint64(off)
}

// location writes the attributes of a resource.
func (w *imageWriter) location(f imageFile, off, stored int) []byte {
	parent, base, ext := packageOf(f.name), f.name[strings.LastIndex(f.name, "/")+1:], ""
	if f.module == indexPackages {
		parent, base = "", f.name
	} else if i := strings.LastIndex(base, "."); i >= 0 {
		base, ext = base[:i], base[i+1:]
	}
	loc := location{attrModule: w.text(f.module), attrParent: w.text(parent), attrBase: w.text(base), attrExtension: w.text(ext), attrOffset: uint64(off), attrUncompressed: uint64(len(f.data))}
	if w.packs(f) {
		loc[attrCompressed] = uint64(stored)
	}
	var b []byte
	for kind, v := range loc {
		if v == 0 || kind == attrEnd {
			continue
		}
		raw := binary.BigEndian.AppendUint64(nil, v)
		for len(raw) > 1 && raw[0] == 0 {
			raw = raw[1:]
		}
		b = append(append(b, byte(kind<<3|len(raw)-1)), raw...)
	}
	return append(b, 0)
}

func (w *imageWriter) packs(f imageFile) bool { return w.plugin != "" && f.module != indexPackages }

// content compresses a resource if the image is compressed.
func (w *imageWriter) content(t testing.TB, f imageFile) []byte {
	t.Helper()
	data := f.data
	if !w.packs(f) {
		return data
	}
	for range max(w.layers, 1) {
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		var b []byte
		b = w.order32(b, packedMagic)
		b = w.order64(b, uint64(packed.Len()))
		b = w.order64(b, uint64(len(data)))
		b = w.order32(b, uint32(w.text(w.plugin)))
		b = append(w.order32(b, 0), 1)
		data = append(b, packed.Bytes()...)
	}
	return data
}

func (w *imageWriter) order32(b []byte, v uint32) []byte {
	return append(b, w.word(v)...)
}

func (w *imageWriter) order64(b []byte, v uint64) []byte {
	var raw [8]byte
	w.order.PutUint64(raw[:], v)
	return append(b, raw[:]...)
}

func (w *imageWriter) word(v uint32) []byte {
	var raw [4]byte
	w.order.PutUint32(raw[:], v)
	return raw[:]
}

// index adds the resources that say which modules have files of a package.
func (w *imageWriter) index() []imageFile {
	modules := map[string][]string{}
	var packages []string
	for _, f := range w.files {
		pkg := packageOf(f.name)
		if pkg == "" || slices.Contains(modules[pkg], f.module) {
			continue
		}
		if modules[pkg] == nil {
			packages = append(packages, pkg)
		}
		modules[pkg] = append(modules[pkg], f.module)
	}
	all := slices.Clone(w.files)
	for _, pkg := range packages {
		// A module that only has packages below comes first, and must be passed over.
		data := append(w.word(1), w.word(uint32(w.text("decoy")))...)
		for _, m := range modules[pkg] {
			data = append(append(data, w.word(0)...), w.word(uint32(w.text(m)))...)
		}
		all = append(all, imageFile{indexPackages, strings.ReplaceAll(pkg, "/", "."), data})
	}
	return all
}

// bytes returns the image.
func (w *imageWriter) bytes(t testing.TB) []byte {
	t.Helper()
	w.strings = []byte{0}
	files := w.index()
	var locations, contents []byte
	locations = append(locations, 0)
	at := make([]uint32, len(files))
	for i, f := range files {
		data := w.content(t, f)
		at[i] = uint32(len(locations))
		locations = append(locations, w.location(f, len(contents), len(data))...)
		contents = append(contents, data...)
	}
	redirect, offsets := w.hashTable(t, files, at)
	var b []byte
	for _, v := range []int{imageMagic, imageVersion, 0, len(files), len(offsets), len(locations), len(w.strings)} {
		b = w.order32(b, uint32(v))
	}
	for _, v := range redirect {
		b = w.order32(b, uint32(v))
	}
	for _, v := range offsets {
		b = w.order32(b, v)
	}
	return slices.Concat(b, locations, w.strings, contents)
}

// hashTable places every resource: alone in its slot by a negative redirect, or with others by a second seed.
func (w *imageWriter) hashTable(t testing.TB, files []imageFile, at []uint32) (redirect []int32, offsets []uint32) {
	t.Helper()
	n := uint32(len(files) + w.spare)
	redirect, offsets = make([]int32, n), make([]uint32, n)
	buckets := make([][]int, n)
	for i, f := range files {
		h := hashName(hashSeed, f.module, f.name) % n
		buckets[h] = append(buckets[h], i)
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(buckets[b]) - len(buckets[a]) })
	for _, b := range order {
		switch members := buckets[b]; len(members) {
		case 0:
		case 1:
			free := slices.Index(offsets, 0)
			redirect[b], offsets[free] = int32(-1-free), at[members[0]]
		default:
			redirect[b] = place(t, files, members, at, offsets)
		}
	}
	return redirect, offsets
}

// place finds a seed that leads the members of a bucket to free slots.
func place(t testing.TB, files []imageFile, members []int, at, offsets []uint32) int32 {
	t.Helper()
	for seed := int32(1); seed < 1<<20; seed++ {
		next := slices.Clone(offsets)
		ok := true
		for _, i := range members {
			slot := hashName(uint32(seed), files[i].module, files[i].name) % uint32(len(offsets))
			ok = ok && next[slot] == 0
			next[slot] = at[i]
		}
		if ok {
			copy(offsets, next)
			return seed
		}
	}
	t.Fatal("no seed found")
	return 0
}
