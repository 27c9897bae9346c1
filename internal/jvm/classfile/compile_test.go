package classfile_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

// everySources are the programs of testdata/every.
func everySources(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := os.DirFS(filepath.Join("testdata", "every"))
	err := fs.WalkDir(root, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 4 {
		t.Fatalf("only %d files in testdata/every", len(files))
	}
	return files
}

// wideSource has more local variables than a byte can number, so that wide is needed, and a loop that is too long for a short jump.
func wideSource() string {
	var b strings.Builder
	b.WriteString("class Wide { static long wide(int n) {\n")
	for i := range 300 {
		fmt.Fprintf(&b, "int i%d = n; ", i)
	}
	b.WriteString("long l = n; float f = n; double d = n; Object o = null; i299++; i298 += 1000; l += i298; f += l; d += f; o = o == null ? \"\" : o;\nwhile (n-- > 0) {\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "i%d += n; ", i%300)
	}
	b.WriteString("}\nreturn l + i299 + (long) f + (long) d + o.hashCode(); } }\n")
	return b.String()
}

var compiled struct {
	sync.Mutex
	classes map[string][]byte
}

// everyClass compiles the sources with everything that javac can add, once per process.
func everyClass(t testing.TB) map[string][]byte {
	t.Helper()
	jdk := jvmtest.JDK(t, 25)
	compiled.Lock()
	defer compiled.Unlock()
	if compiled.classes == nil {
		// javac 25 fails with -Xjcov where a type of a new expression is annotated, so that option has a program of its own.
		c := jvmtest.NewCompiler(t, jdk)
		classes, err := c.Compile(everySources(t), "-g", "-parameters", "--module-version", "1.0")
		if err != nil {
			t.Fatal(err)
		}
		more, err := c.Compile(map[string]string{"Wide.java": wideSource()}, "-g", "-Xjcov")
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(classes, more)
		compiled.classes = classes
	}
	return compiled.classes
}

// TestCompiled checks that the compiler writes nearly every attribute here, and that all survive.
func TestCompiled(t *testing.T) {
	seen := map[string]bool{}
	var buf []byte
	for name, data := range everyClass(t) {
		if _, _, err := roundTrip(data, &buf); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		c, err := classfile.Decode(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		eachAttribute(c, func(_ classfile.Place, name string, v classfile.Value) {
			if _, unknown := v.(classfile.Unknown); unknown {
				t.Errorf("%s is unknown", name)
			}
			seen[name] = true
		})
	}
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(classfile.Known())) {
		if !seen[name] {
			missing = append(missing, name)
		}
	}
	// jar and jlink write those of modules; a flag has taken the place of Synthetic; and no compiler for Java sources has debug information of another language.
	want := []string{"ModuleHashes", "ModuleMainClass", "ModulePackages", "ModuleResolution", "ModuleTarget", "SourceDebugExtension", "Synthetic"}
	if !slices.Equal(missing, want) {
		t.Errorf("javac does not write %v, expected were %v", missing, want)
	}
}

// eachAttribute visits the attributes of a decoded class, also those inside others.
func eachAttribute(c *classfile.Class, visit func(place classfile.Place, name string, v classfile.Value)) {
	var all func(list []classfile.Attribute, place classfile.Place)
	all = func(list []classfile.Attribute, place classfile.Place) {
		for i := range list {
			name, _ := c.Pool.UTF8(list[i].Name)
			v, err := list[i].Value(&c.Pool, place)
			if err != nil {
				panic(err) // decoded before
			}
			visit(place, name, v)
			switch v := v.(type) {
			case *classfile.Code:
				all(v.Attributes, classfile.InCode)
			case *classfile.Record:
				for j := range v.Components {
					all(v.Components[j].Attributes, classfile.InRecord)
				}
			}
		}
	}
	all(c.Attributes, classfile.InClass)
	for i := range c.Fields {
		all(c.Fields[i].Attributes, classfile.InField)
	}
	for i := range c.Methods {
		all(c.Methods[i].Attributes, classfile.InMethod)
	}
}

// everySmall are compiled classes that are small enough for fuzzing.
func everySmall(t testing.TB) (out [][]byte) {
	t.Helper()
	classes := everyClass(t)
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		if data := classes[name]; len(data) < 3000 {
			out = append(out, data)
		}
	}
	return out
}
