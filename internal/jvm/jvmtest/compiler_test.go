package jvmtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// sample has a nested class, a package, and names and text outside ASCII.
var sample = map[string]string{
	"p/A.java":     "package p; public class A { class B {} public static final String S = \"\\u00e9 é\"; }",
	"p/Größe.java": "package p; class Größe extends A { Object o = new Object() {}; }",
}

func major(class []byte) int { return int(binary.BigEndian.Uint16(class[6:])) }

func checkProgram(t *testing.T, classes map[string][]byte, version int) {
	t.Helper()
	if got, want := slices.Sorted(maps.Keys(classes)), []string{"p/A", "p/A$B", "p/Größe", "p/Größe$1"}; !slices.Equal(got, want) {
		t.Errorf("classes %q, want %q", got, want)
	}
	for name, data := range classes {
		if !bytes.HasPrefix(data, []byte{0xca, 0xfe, 0xba, 0xbe}) || major(data) != version {
			t.Errorf("%s starts with % x, want a class of version %d", name, data[:8], version)
		}
	}
	if !bytes.Contains(classes["p/A"], []byte("é é")) {
		t.Error("the constant of p/A was not read as UTF-8")
	}
}

func TestCompilers(t *testing.T) {
	for feature, version := range map[int]int{17: 61, 25: 69} {
		jdk := JDK(t, feature)
		c := NewCompiler(t, jdk)
		mem, err := c.Compile(sample)
		if err != nil {
			t.Fatal(err)
		}
		checkProgram(t, mem, version)
		disk := Javac(t, jdk, sample)
		checkProgram(t, disk, version)
		if !maps.EqualFunc(mem, disk, bytes.Equal) {
			t.Errorf("JDK %d: javac and the compile server disagree", feature)
		}
		checkApart(t, c, version)
	}
}

// checkApart checks that a program sees neither the options nor the classes of the one before.
func checkApart(t *testing.T, c *Compiler, version int) {
	t.Helper()
	one := map[string]string{"C.java": "class C { void m() { int local = 1; } }"}
	old, err := c.Compile(one, "--release", "8", "-g", "-Xlint:-options")
	if err != nil || major(old["C"]) != 52 || !bytes.Contains(old["C"], []byte("local")) {
		t.Fatalf("--release 8 -g: %v, %q", err, old)
	}
	plain, err := c.Compile(one)
	if err != nil || major(plain["C"]) != version || bytes.Contains(plain["C"], []byte("local")) {
		t.Errorf("without options: %v, %q", err, plain)
	}
	if got, err := c.Compile(map[string]string{"D.java": "class D extends C {}"}); err == nil || got != nil {
		t.Errorf("a class of another program was seen: %q", got)
	}
}

func TestCompileErrors(t *testing.T) {
	jdk := JDK(t, 25)
	bad := map[string]string{"p/A.java": "package p; class A { int x = \"text\"; }"}
	const want = "incompatible types"
	if got, err := javac(t.TempDir(), jdk, bad, nil); err == nil || got != nil || !strings.Contains(err.Error(), want) {
		t.Errorf("javac: %q, %v, want %q", got, err, want)
	}
	c := NewCompiler(t, jdk)
	for name, try := range map[string]struct {
		files map[string]string
		args  []string
		want  string
	}{
		"error in the program": {bad, nil, want},
		"unknown option":       {sample, []string{"--no-such-option"}, "no-such-option"},
		"no file":              {nil, nil, "no source files"},
	} {
		if got, err := c.Compile(try.files, try.args...); err == nil || got != nil || !strings.Contains(err.Error(), try.want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, try.want)
		}
	}
	if _, err := c.Compile(sample); err != nil {
		t.Errorf("after errors: %v", err)
	}
}

func TestCompilerManyAtOnce(t *testing.T) {
	c := NewCompiler(t, JDK(t, 17))
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			name := string(rune('A' + i))
			got, err := c.Compile(map[string]string{name + ".java": "class " + name + " {}"})
			if err != nil || len(got) != 1 || got[name] == nil {
				t.Errorf("%s: %d classes, %v", name, len(got), err)
			}
		})
	}
	group.Wait()
}

func TestCompilerThatDied(t *testing.T) {
	c := NewCompiler(t, JDK(t, 25))
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := c.Compile(sample); err == nil || got != nil {
			t.Errorf("a dead compiler answered %q", got)
		}
	}
}

func TestAnswerOfServer(t *testing.T) {
	good := "\x01" + "\x00\x00\x00\x02hm" + "\x00\x00\x00\x01" + "\x00\x00\x00\x01C" + "\x00\x00\x00\x03abc"
	a, err := readAnswer(bufio.NewReader(strings.NewReader(good)))
	if err != nil || !a.ok || string(a.words) != "hm" || len(a.classes) != 1 || string(a.classes["C"]) != "abc" {
		t.Errorf("got %+v, %v", a, err)
	}
	for n := range len(good) {
		if _, err := readAnswer(bufio.NewReader(strings.NewReader(good[:n]))); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
	if _, err := readAnswer(bufio.NewReader(strings.NewReader("\x01\xff\xff\xff\xff"))); err == nil || !strings.Contains(err.Error(), "length") {
		t.Errorf("a length beyond all bounds: %v", err)
	}
}
