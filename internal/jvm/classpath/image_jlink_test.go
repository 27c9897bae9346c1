package classpath

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// TestImagesByJlink reads images that jlink made: compressed, for a machine of the other byte order, and with a plug-in that is refused.
func TestImagesByJlink(t *testing.T) {
	if !*deep && os.Getenv("WINNOW_NO_SKIPS") == "" {
		t.Skip("needs -deep: jlink takes long")
	}
	home := jvmtest.JDK(t, 17)
	link := func(args ...string) string {
		out := filepath.Join(t.TempDir(), "image")
		cmd := jvmtest.Command(home, "jlink", append([]string{"--add-modules", "java.logging", "--output", out}, args...)...)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("jlink %v: %v\n%s", args, err, said)
		}
		return out
	}
	zipped, compact, big := link("--compress=2"), link("--compress=1"), link("--endian", "big")
	files, _ := jrtOf(t, home, zipped)
	compareImage(t, zipped, files, 5000)
	compareImage(t, big, files, 5000)
	src, _ := openEntries(t, compact)
	if b, err := src.Read(Entry{Name: "java/lang/String.class", Module: "java.base"}); b != nil || !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), compact) {
		t.Errorf("compact-cp: %d bytes, %v", len(b), err)
	}
}

// jrtOf asks an image that has no compiler for its resources.
func jrtOf(t *testing.T, jdk, image string) (map[resource]string, map[string]string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "Jrt.java"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	jvmtest.WriteClasses(t, dir, jvmtest.Javac(t, jdk, map[string]string{"Jrt.java": string(source)}))
	return jrt(t, image, "-cp", dir, "Jrt")
}
