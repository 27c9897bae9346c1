package classpath

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

func jarOf(t testing.TB, o Options, z zipFile) (*Jar, error) {
	t.Helper()
	return newJar(memory(z.bytes(t)), o)
}

func TestJarEntries(t *testing.T) {
	jar, err := jarOf(t, Options{}, zipFile{entries: []zipEntry{
		text("META-INF/", ""), manifestOf("Multi-Release: true", "Class-Path: b.jar c/"), class("a/B", 1), versioned(9, 9), versioned(11, 11),
		text("a/", ""), text("META-INF/versions/9/", ""), text("META-INF/versions/x/y", ""), text("META-INF/versions/9/META-INF/z", ""),
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	entries, err := jar.Entries()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		class, _ := e.Class()
		got = append(got, fmt.Sprintf("%s %d %q", e.Name, e.Version, class))
	}
	want := []string{
		`META-INF/MANIFEST.MF 0 ""`, `META-INF/versions/11/a/B.class 11 "a/B"`, `META-INF/versions/9/META-INF/z 0 ""`,
		`META-INF/versions/9/a/B.class 9 "a/B"`, `META-INF/versions/x/y 0 ""`, `a/B.class 0 "a/B"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("entries\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !jar.MultiRelease() || !slices.Equal(jar.ClassPath(), []string{"b.jar", "c/"}) {
		t.Errorf("manifest: %v %v", jar.MultiRelease(), jar.ClassPath())
	}
}

func TestClassNames(t *testing.T) {
	for name, want := range map[string]string{
		"a/B.class": "a/B", "B.class": "B", "a/package-info.class": "a/package-info", "module-info.class": "", "a/B.CLASS": "", "a/B": "",
		".class": "", "a/.class": "", "a.b/C.class": "", "a/B;.class": "", "a/[B.class": "", "META-INF/versions/9/module-info.class": "", `a\B.class`: `a\B`,
	} {
		if got, ok := (Entry{Name: name, Version: versionOf(name)}).Class(); got != want || ok != (want != "") {
			t.Errorf("class of %s = %q, %v; want %q", name, got, ok, want)
		}
	}
}

// TestJarBadBytes is about archives that cannot be opened at all.
func TestJarBadBytes(t *testing.T) {
	good := zipFile{entries: []zipEntry{class("a/A", 1), class("a/B", 2)}}.bytes(t)
	central := bytes.Index(good, []byte("PK\x01\x02"))
	change := func(off int, b ...byte) []byte { return slices.Replace(slices.Clone(good), off, off+len(b), b...) }
	for name, c := range map[string]struct {
		bytes []byte
		want  error
		words string
	}{
		"empty":                    {nil, ErrNotArchive, "0 bytes"},
		"text":                     {bytes.Repeat([]byte("text "), 100), ErrNotArchive, "no end record"},
		"cut in the end record":    {good[:len(good)-1], ErrNotArchive, "no end record"},
		"no central record":        {change(central, 'X'), ErrCorrupt, fmt.Sprintf("record 0 at offset %d", central)},
		"name too long":            {change(central+28, 0xff, 0xff), ErrCorrupt, "record 0"},
		"second record":            {change(central+lenCentral+len("a/A.class"), 'X'), ErrCorrupt, "record 1"},
		"directory too large":      {change(len(good)-10, 0xff, 0xff, 0xff, 0x7f), ErrCorrupt, "end record"},
		"directory too far":        {change(len(good)-6, 0xff, 0xff, 0xff, 0x7f), ErrCorrupt, "end record"},
		"encrypted":                {change(central+8, 1), ErrUnsupported, "encrypted"},
		"unknown method":           {change(central+10, 99), ErrUnsupported, "method 99"},
		"stored with another size": {change(central+10, 0), ErrCorrupt, "stored"},
	} {
		jar, err := newJar(memory(c.bytes), Options{})
		if jar != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, %v; want %v with %q", name, jar, err, c.want, c.words)
		}
	}
}

// TestJarBadContents is about archives that can be listed, with an entry that cannot be read.
func TestJarBadContents(t *testing.T) {
	long := zipEntry{name: "a/B.class", data: bytes.Repeat([]byte("x"), 1000), method: methodDeflate}
	with := func(change func(*zipEntry)) zipFile { e := long; change(&e); return zipFile{entries: []zipEntry{e}} }
	cut := zipFile{entries: []zipEntry{long}}.bytes(t)
	for name, b := range map[string][]byte{
		"wrong CRC-32":        with(func(e *zipEntry) { e.crc = 1 }).bytes(t),
		"longer than it says": with(func(e *zipEntry) { e.size = 999 }).bytes(t),
		"shorter":             with(func(e *zipEntry) { e.size = 1001 }).bytes(t),
		"much shorter":        with(func(e *zipEntry) { e.size = 60 << 20 / 8 }).bytes(t),
		"no local header":     slices.Replace(slices.Clone(cut), 0, 1, 'X'),
		"damaged data":        slices.Replace(slices.Clone(cut), 40, 42, 0xff, 0xff),
		"data beyond the end": slices.Replace(slices.Clone(cut), 26, 28, 0xff, 0xff),
	} {
		jar, err := newJar(memory(b), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		e, ok, err := jar.Find("a/B.class")
		if err != nil || !ok {
			t.Errorf("%s: Find: %v, %v", name, ok, err)
		}
		if got, err := jar.Read(e); got != nil || err == nil || !strings.Contains(err.Error(), "memory: a/B.class") {
			t.Errorf("%s: Read = %d bytes, %v", name, len(got), err)
		}
	}
}

func TestJarLimits(t *testing.T) {
	zeros := func(n int) zipFile {
		return zipFile{entries: []zipEntry{{name: "x", data: make([]byte, n), method: methodDeflate}, {name: "y", data: make([]byte, n), method: methodDeflate}}}
	}
	if _, err := jarOf(t, Options{MaxTotal: 1999}, zeros(1000)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("total: %v", err)
	}
	if _, err := jarOf(t, Options{MaxTotal: 2000}, zeros(1000)); err != nil {
		t.Errorf("total at the limit: %v", err)
	}
	if _, err := jarOf(t, Options{}, zeros(freeOfRatio+1)); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "ratio") {
		t.Errorf("bomb: %v", err)
	}
	if _, err := jarOf(t, Options{}, zeros(freeOfRatio)); err != nil {
		t.Errorf("repetitive content of moderate size: %v", err)
	}
	jar, err := jarOf(t, Options{MaxEntry: 999}, zeros(1000))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := jar.Read(Entry{Name: "x", Size: 1000}); b != nil || !errors.Is(err, ErrTooLarge) {
		t.Errorf("entry: %d bytes, %v", len(b), err)
	}
	if r, err := jar.Stream(Entry{Name: "x", Size: 1000}); err != nil {
		t.Errorf("a stream has no limit of memory: %v", err)
	} else if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// A bomb that declares a small size is stopped there: it cannot use more memory than it declares.
func TestJarBombStopsAtDeclaredSize(t *testing.T) {
	e := zipEntry{name: "x", data: make([]byte, 32<<20), method: methodDeflate, size: 10}
	jar, err := jarOf(t, Options{}, zipFile{entries: []zipEntry{e}})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := jar.Read(Entry{Name: "x", Size: 10}); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes allocated for an entry of 10", used)
	}
}

// TestJarsAgainstArchiveZip compares this reader with the standard library's on jars from Maven Central.
func TestJarsAgainstArchiveZip(t *testing.T) {
	names := []string{"asm", "junit-3.8", "jackson-databind"}
	if *deep {
		names = nil
		for _, a := range jvmtest.All() {
			names = append(names, a.Name)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) { compareZip(t, jvmtest.Jar(t, name)) })
	}
}

func compareZip(t *testing.T, path string) {
	t.Helper()
	src, entries := openEntries(t, path)
	problems, err := src.Problems()
	if err != nil || len(problems) != 0 {
		t.Logf("%s: problems %v, %v", filepath.Base(path), problems, err)
	}
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := map[string]*zip.File{}
	for _, f := range r.File {
		if !strings.HasSuffix(f.Name, "/") {
			want[f.Name] = f
		}
	}
	if len(entries) != len(want) || len(want) == 0 {
		t.Errorf("%d entries, archive/zip has %d", len(entries), len(want))
	}
	for _, e := range entries {
		if b, err := src.Read(e); err != nil || want[e.Name] == nil || !bytes.Equal(b, unzip(t, want[e.Name])) {
			t.Errorf("%s: %d bytes, %v", e.Name, len(b), err)
		}
	}
}

func unzip(t *testing.T, f *zip.File) []byte {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzJar(f *testing.F) {
	entries := []zipEntry{manifestOf("Multi-Release: true", "Class-Path: b.jar"), class("a/B", 1), versioned(9, 2), text("a/", ""), class("a/B", 3), text("../x", "y")}
	f.Add(zipFile{entries: entries}.bytes(f))
	f.Add(zipFile{entries: entries, zip64: true, prefix: "#!", comment: "c"}.bytes(f))
	f.Add(zipFile{suffix: "PK", entries: []zipEntry{{name: "x", data: make([]byte, 100), method: methodDeflate, descriptor: true, zip64: true}}}.bytes(f))
	f.Add(zipFile{}.bytes(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		jar, err := newJar(memory(b), fuzzLimits)
		if err != nil {
			if jar != nil {
				t.Error("an error with a jar")
			}
			return
		}
		checkSource(t, jar)
		checkAccounted(t, jar)
	})
}

// checkAccounted holds a jar to this: every record of the central directory that is no directory is an entry or in a problem.
func checkAccounted(t *testing.T, jar *Jar) {
	t.Helper()
	entries, problems := 0, 0
	for _, m := range jar.members {
		if !strings.HasSuffix(m.name, "/") {
			entries++
		}
	}
	for _, p := range jar.problems {
		if p.Kind == BadName || p.Kind == Duplicate {
			problems++
		}
	}
	if len(jar.entries)+problems < entries {
		t.Errorf("%d records, %d entries and %d problems", entries, len(jar.entries), problems)
	}
}

// What a build writes about itself into a manifest is nothing that a package can tell.
func TestPackageHeaders(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Manifest-Version: 1.0\nBnd-LastModified: 17\nBundle-Version: 1.0.20261119\n\n", ""},
		{"Manifest-Version: 1.0\r\nImplementation-Version: 1.\r\n 2\r\nSPECIFICATION-Title: t\r\n", "0 implementation-version: 1.2\n0 specification-title: t\n"},
		{"Manifest-Version: 1.0\n\nName: p/\nSealed: true\n", "1 name: p/\n1 sealed: true\n"},
		{"no manifest\n", "no manifest\n"},
	} {
		if got := string(PackageHeaders([]byte(test.text))); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add("Manifest-Version: 1.0\r\nMulti-Release: true\r\nClass-Path: a\r\n  b\r\n\r\nName: x\r\n\r\n")
	f.Add("Class-Path: x\n y")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseManifest(text)
		if err != nil && (m.multiRelease || m.classPath != nil) {
			t.Errorf("an error with %+v", m)
		}
		if m.multiRelease && !strings.Contains(strings.ToLower(text), "multi-release: true") {
			t.Errorf("multi-release out of nothing: %q", text)
		}
		for _, element := range m.classPath {
			if path, _, err := resolve(filepath.Join(os.TempDir(), "x.jar"), element); err == nil && !filepath.IsAbs(path) {
				t.Errorf("%q leads to %q", element, path)
			}
		}
	})
}
