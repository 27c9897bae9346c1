package classpath

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// sampleImage is a small image with all that a real one has.
func sampleImage() *imageWriter {
	w := &imageWriter{order: binary.LittleEndian}
	add := func(module, name, data string) { w.files = append(w.files, imageFile{module, name, []byte(data)}) }
	add("java.base", "module-info.class", "mb")
	add("java.base", "java/lang/Object.class", "object")
	add("java.base", "java/lang/String.class", strings.Repeat("string", 100))
	add("java.base", "java/lang/noextension", "")
	add("java.logging", "module-info.class", "ml")
	add("java.logging", "java/util/logging/Logger.class", "logger")
	add("java.logging", "java/util/logging/a.b.c", "dots")
	add("java.logging", "META-INF/services/x", "one")
	add("java.xml", "META-INF/services/y", "two")
	return w
}

type nopCloser struct{}

func (nopCloser) Close() error { return nil }

// memory makes a file of bytes.
func memory(b []byte) file {
	return file{ReaderAt: bytes.NewReader(b), Closer: nopCloser{}, path: "memory", size: int64(len(b))}
}

func imageOf(t testing.TB, w *imageWriter) *Image {
	t.Helper()
	img, err := newImage(memory(w.bytes(t)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestImageVariants(t *testing.T) {
	big, spare, packed, twice := sampleImage(), sampleImage(), sampleImage(), sampleImage()
	big.order = binary.BigEndian
	spare.spare = 5
	packed.plugin = "zip"
	twice.plugin, twice.layers, twice.order = "zip", 2, binary.BigEndian
	for name, w := range map[string]*imageWriter{"plain": sampleImage(), "big endian": big, "spare slots": spare, "compressed": packed, "compressed twice": twice} {
		t.Run(name, func(t *testing.T) { checkImage(t, w) })
	}
}

func checkImage(t *testing.T, w *imageWriter) {
	t.Helper()
	img := imageOf(t, w)
	entries, err := img.Entries()
	if err != nil || len(entries) != len(w.files) {
		t.Fatalf("%d entries, %v; want %d", len(entries), err, len(w.files))
	}
	for _, f := range w.files {
		e := Entry{Name: f.name, Module: f.module, Size: int64(len(f.data))}
		if !slices.Contains(entries, e) {
			t.Errorf("no entry %v", e)
		}
		if b, err := img.Read(e); err != nil || !bytes.Equal(b, f.data) {
			t.Errorf("Read(%s) = %q, %v", f.name, b, err)
		}
		if got, ok, err := img.Find(f.name); packageOf(f.name) != "" && (err != nil || !ok || got != e) {
			t.Errorf("Find(%s) = %v, %v, %v", f.name, got, ok, err)
		}
	}
	if m, err := img.Modules(); err != nil || fmt.Sprint(m) != "[java.base java.logging java.xml]" {
		t.Errorf("modules %v, %v", m, err)
	}
}

func TestImageMissing(t *testing.T) {
	img := imageOf(t, sampleImage())
	for _, name := range []string{"java/lang/Objekt.class", "java/nowhere/X.class", "java/util/X.class", "X.class", "", "java/lang/"} {
		if e, ok, err := img.Find(name); ok || err != nil {
			t.Errorf("Find(%q) = %v, %v, %v", name, e, ok, err)
		}
	}
	if b, err := img.Read(Entry{Name: "java/lang/Object.class", Module: "java.xml"}); err == nil || b != nil {
		t.Errorf("Read of a missing entry = %q, %v", b, err)
	}
}

func TestImageRefusesPlugin(t *testing.T) {
	w := sampleImage()
	w.plugin = "compact-cp"
	img := imageOf(t, w)
	b, err := img.Read(Entry{Name: "java/lang/Object.class", Module: "java.base"})
	if b != nil || !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "memory") || !strings.Contains(err.Error(), "--compress=zip-6") {
		t.Errorf("Read = %q, %v", b, err)
	}
	w = sampleImage()
	w.plugin, w.layers = "zip", maxPlugins+1
	if b, err := imageOf(t, w).Read(Entry{Name: "java/lang/Object.class", Module: "java.base"}); b != nil || err == nil {
		t.Errorf("too many layers: %q, %v", b, err)
	}
}

func TestImageLimit(t *testing.T) {
	img, err := newImage(memory(sampleImage().bytes(t)), Options{MaxEntry: 100})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := img.Read(Entry{Name: "java/lang/String.class", Module: "java.base"}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("600 bytes with a limit of 100: %v", err)
	}
}

// TestImageDamage overwrites each word of the header and of the tables with values that lead astray. No damage may give a silently
// smaller image: what can still be listed is complete.
func TestImageDamage(t *testing.T) {
	good := sampleImage().bytes(t)
	whole, err := imageOf(t, sampleImage()).Entries()
	if err != nil {
		t.Fatal(err)
	}
	tables := imageHeader + 8*int(le.Uint32(good[16:]))
	refused := 0
	for off := 0; off < tables; off += 4 {
		for _, v := range []uint32{0, 1, 0x7fffffff, 0x80000000, 0xffffffff, uint32(len(good))} {
			b := slices.Clone(good)
			le.PutUint32(b[off:], v)
			entries, err := listBytes(b)
			switch {
			case err != nil:
				refused++
			case len(entries) != len(whole):
				t.Errorf("offset %d = %#x: %d entries of %d without an error", off, v, len(entries), len(whole))
			}
		}
	}
	if refused == 0 {
		t.Error("no damage was found")
	}
	for n := range len(good) {
		if entries, err := listBytes(good[:n]); err == nil && n < tables {
			t.Errorf("%d bytes of %d: %d entries", n, len(good), len(entries))
		}
	}
}

// listBytes opens and lists an image or jar in memory.
func listBytes(b []byte) ([]Entry, error) {
	src, err := openBytes(b)
	if err != nil {
		return nil, err
	}
	return src.Entries()
}

func openBytes(b []byte) (Source, error) {
	f := memory(b)
	if isImage(f) {
		img, err := newImage(f, fuzzLimits)
		if err != nil {
			return nil, err
		}
		return img, nil
	}
	jar, err := newJar(f, fuzzLimits)
	if err != nil {
		return nil, err
	}
	return jar, nil
}

// fuzzLimits keep a fuzzer from spending its time on large contents.
var fuzzLimits = Options{MaxEntry: 1 << 20, MaxTotal: 1 << 24}

func FuzzImage(f *testing.F) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, plugin := range []string{"", "zip", "compact-cp"} {
			w := sampleImage()
			w.order, w.plugin = order, plugin
			f.Add(w.bytes(f))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		img, err := newImage(memory(b), fuzzLimits)
		if err != nil {
			if img != nil {
				t.Error("an error with an image")
			}
			return
		}
		checkSource(t, img)
		for _, pkg := range []string{"java/lang", "META-INF/services", ""} {
			if m, ok, err := img.Module(pkg); err != nil && (m != "" || ok) {
				t.Errorf("Module(%q) = %q, %v, %v", pkg, m, ok, err)
			}
		}
	})
}

// checkSource holds a source to its contract: an error has no result, an entry is found by its name, a content has the listed size.
func checkSource(t *testing.T, src Source) {
	t.Helper()
	entries, err := src.Entries()
	if err != nil {
		if entries != nil {
			t.Error("an error with entries")
		}
		return
	}
	if !slices.IsSortedFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("entries are not in order")
	}
	for _, e := range entries {
		b, err := src.Read(e)
		if err != nil && b != nil {
			t.Errorf("%s: an error with a content", e.Name)
		}
		if err == nil && int64(len(b)) != e.Size {
			t.Errorf("%s: %d bytes, listed are %d", e.Name, len(b), e.Size)
		}
		checkStream(t, src, e, b, err)
	}
}

func checkStream(t *testing.T, src Source, e Entry, want []byte, readErr error) {
	t.Helper()
	r, err := src.Stream(e)
	if err != nil {
		if readErr == nil {
			t.Errorf("%s: Read succeeds, Stream does not: %v", e.Name, err)
		}
		return
	}
	got, err := io.ReadAll(io.LimitReader(r, 2<<20))
	if readErr == nil && (err != nil || !bytes.Equal(got, want)) {
		t.Errorf("%s: Read and Stream differ: %v", e.Name, err)
	}
	if err := r.Close(); err != nil && readErr == nil { // after a failed read, closing may say so again
		t.Errorf("%s: %v", e.Name, err)
	}
}
