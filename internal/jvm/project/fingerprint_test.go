package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/maven"
	"winnow/internal/vfs"
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

// TestFilesOfJDK: what users edit in a JDK belongs to every test, wherever the JDK lies and whatever it is a link to; what follows from the release is not read.
func TestFilesOfJDK(t *testing.T) {
	write := func(path, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	of := func(jdk string) digest.Digest { return newFingerprint(&maven.Request{}, jdk, nil)["files of the jdk"] }
	one, two, etc := t.TempDir(), t.TempDir(), t.TempDir()
	for _, jdk := range []string{one, two} {
		write(filepath.Join(jdk, "release"), "JAVA_VERSION=17")
		write(filepath.Join(jdk, "conf", "security", "java.security"), "a")
		write(filepath.Join(jdk, "lib", "tzdb.dat"), "a")
		write(filepath.Join(jdk, "lib", "modules"), jdk)
		write(filepath.Join(jdk, "lib", "server", "classes.jsa"), jdk)
		if err := os.Symlink(filepath.Join(etc, "logging.properties"), filepath.Join(jdk, "conf", "logging.properties")); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(etc, "logging.properties"), "a")
	if of(one) != of(two) {
		t.Error("two copies of a JDK differ")
	}
	for _, file := range []string{filepath.Join(one, "conf", "security", "java.security"), filepath.Join(one, "lib", "tzdb.dat"), filepath.Join(etc, "logging.properties"), filepath.Join(one, "conf", "new.properties")} {
		before := of(one)
		write(file, "b")
		if of(one) == before {
			t.Errorf("%s changed", file)
		}
	}
}

// TestPropertiesOfJDK: a property that the JDK reads once for all tests belongs to every test, one of a program does not.
func TestPropertiesOfJDK(t *testing.T) {
	of := func(line string) digest.Digest {
		return newFingerprint(&maven.Request{ArgLine: line}, t.TempDir(), nil)["properties of the jdk"]
	}
	for property, counts := range map[string]bool{"java.awt.headless": true, "swing.defaultlaf": true, "awt.useSystemAAFontSettings": true, "org.xml.sax.driver": true, "app.mode": false, "swinging": false} {
		if got := of("-D"+property+"=1") != of("-D"+property+"=2"); got != counts {
			t.Errorf("%s counts: %v", property, got)
		}
	}
}

// TestVariablesOfJVM: a variable that the JVM itself reads belongs to every test. LC_MESSAGES decides about the default locale.
func TestVariablesOfJVM(t *testing.T) {
	for name, counts := range map[string]bool{"LC_MESSAGES": true, "LANG": true, "TZ": true, "WINNOW_TEST_X": false} {
		var seen []string
		for _, value := range []string{"a", "b"} {
			t.Setenv(name, value)
			m := &Module{snapshot: &snapshot{files: vfs.NewFiles(nil), tools: fingerprint{}}}
			seen = append(seen, fmt.Sprint(m.fingerprintUses(nil)))
		}
		if counts != (seen[0] != seen[1]) {
			t.Errorf("%s: %s, then %s", name, seen[0], seen[1])
		}
	}
}

// TestAnotherItem: a parameter of Surefire that was not set when a test was recorded is a change for it, as one that is set to something else.
func TestAnotherItem(t *testing.T) {
	jdk := t.TempDir()
	without := newFingerprint(&maven.Request{}, jdk, nil)
	with := newFingerprint(&maven.Request{Parameters: []maven.Parameter{{Path: "properties/configurationParameters", Value: "a=b"}}}, jdk, nil)
	without.addNames()
	with.addNames()
	for _, u := range without.uses("") {
		if with[u.Entity.Name] != u.Digest {
			return
		}
	}
	t.Error("a record of before holds with the new parameter")
}
