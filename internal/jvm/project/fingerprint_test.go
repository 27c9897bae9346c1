package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/jvm/maven"
)

// TestFilesOfOptions: what is in a file that an option of the JVM names counts, whether its path is absolute or begins at the working directory of the tests.
func TestFilesOfOptions(t *testing.T) {
	dir := t.TempDir()
	r := &maven.Request{WorkingDir: dir}
	file := filepath.Join(dir, "file")
	for _, option := range []string{"-javaagent:file=x", "-Xbootclasspath/a:other:file", "--patch-module=m=file", "--patch-module m=file", "-Xbootclasspath/a:.", "--patch-module=m=" + dir, "@file", "@" + file, "-XX:VMOptionsFile=file", "-XX:Flags=" + file} {
		var seen []string
		for _, content := range []string{"one", "two"} {
			if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
			seen = append(seen, named(append([]string{"-ea"}, strings.Fields(option)...), r, nil))
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if gone := named(append([]string{"-ea"}, strings.Fields(option)...), r, nil); seen[0] == seen[1] || gone == seen[0] {
			t.Errorf("%s: %q, %q, and without the file %q", option, seen[0], seen[1], gone)
		}
	}
}

// TestFilesOfProperties: so does what is in a file that a property of the JDK names; other properties are read when a test asks.
func TestFilesOfProperties(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "file"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for property, counts := range map[string]bool{"java.util.currency.data": true, "jdk.net.hosts.file": true, "java.security.policy=": true, "app.config": false} {
		r := &maven.Request{WorkingDir: dir, ArgLine: "-ea -D" + property + "=file"}
		write("one")
		before := namedByProperties(r, nil)
		write("two")
		if after := namedByProperties(r, nil); counts != (before != after) {
			t.Errorf("%s: %q, then %q", property, before, after)
		}
	}
}
