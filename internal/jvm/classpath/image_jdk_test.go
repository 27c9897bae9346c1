package classpath

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

var deep = flag.Bool("deep", false, "compare the images of all JDKs and all jars of the list, not only a few, and images made by jlink")

// resource names a file of an image.
type resource struct{ module, name string }

// jrt asks a JDK for its resources and packages.
func jrt(t *testing.T, home string, program ...string) (files map[resource]string, packages map[string]string) {
	t.Helper()
	out, err := jvmtest.Command(home, "java", append([]string{"-XX:TieredStopAtLevel=1"}, program...)...).Output()
	if err != nil {
		t.Fatalf("Jrt.java: %v", err)
	}
	files, packages = map[resource]string{}, map[string]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			t.Fatalf("Jrt.java printed %q", line)
		}
		if f[0] == "package" {
			packages[f[2]] = f[1]
		} else {
			files[resource{f[1], f[2]}] = f[3]
		}
	}
	return files, packages
}

// TestImageAgainstJava compares every resource of a JDK, by name and content, with what Java's own reader of images says.
func TestImageAgainstJava(t *testing.T) {
	features := []int{25}
	if *deep {
		features = []int{17, 25}
	}
	for _, feature := range features {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			home := jvmtest.JDK(t, feature)
			files, packages := jrt(t, home, filepath.Join("testdata", "Jrt.java"))
			compareImage(t, home, files, 20000)
			comparePackages(t, home, packages)
			t.Logf("JDK %d: %d resources, %d packages", feature, len(files), len(packages))
		})
	}
}

func compareImage(t *testing.T, home string, want map[resource]string, least int) {
	t.Helper()
	src, entries := openEntries(t, home)
	if len(want) < least || len(entries) != len(want) {
		t.Errorf("%d entries, Java has %d", len(entries), len(want))
	}
	for _, e := range entries {
		b, err := src.Read(e)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b)
		if got, want := hex.EncodeToString(sum[:]), want[resource{e.Module, e.Name}]; got != want {
			t.Errorf("/%s/%s: SHA-256 is %s, Java has %q", e.Module, e.Name, got, want)
		}
		if int64(len(b)) != e.Size {
			t.Errorf("/%s/%s: %d bytes, listed are %d", e.Module, e.Name, len(b), e.Size)
		}
		if found, ok, err := src.Find(e.Name); err != nil || ok && packageOf(e.Name) != "" && strings.HasSuffix(e.Name, ".class") && found != e {
			t.Errorf("Find(%s) = %v, %v, %v", e.Name, found, ok, err)
		}
	}
}

func comparePackages(t *testing.T, home string, want map[string]string) {
	t.Helper()
	src, _ := openEntries(t, home)
	for pkg, module := range want {
		if got, ok, err := src.(*Image).Module(pkg); err != nil || !ok || got != module {
			t.Errorf("package %s is in module %q (%v, %v), Java says %s", pkg, got, ok, err, module)
		}
	}
	if got, ok, err := src.(*Image).Module("no/such/package"); err != nil || ok {
		t.Errorf("Module of a missing package = %q, %v, %v", got, ok, err)
	}
}

func openEntries(t testing.TB, path string) (Source, []Entry) {
	t.Helper()
	src, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	})
	entries, err := src.Entries()
	if err != nil {
		t.Fatal(err)
	}
	return src, entries
}

// BenchmarkImageFindOne opens an image, finds one class and reads it: the cost of the tables, not of the image.
func BenchmarkImageFindOne(b *testing.B) {
	home := jvmtest.JDK(b, 25)
	for b.Loop() {
		src, err := Open(home)
		if err != nil {
			b.Fatal(err)
		}
		e, ok, err := src.Find("java/lang/Object.class")
		if err != nil || !ok {
			b.Fatal(ok, err)
		}
		if _, err := src.Read(e); err != nil {
			b.Fatal(err)
		}
		if err := src.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkImageReadAll lists an image and reads everything.
func BenchmarkImageReadAll(b *testing.B) {
	home := jvmtest.JDK(b, 25)
	for b.Loop() {
		src, entries := openEntries(b, home)
		total := int64(0)
		for _, e := range entries {
			data, err := src.Read(e)
			if err != nil {
				b.Fatal(err)
			}
			total += int64(len(data))
		}
		b.SetBytes(total)
	}
}
