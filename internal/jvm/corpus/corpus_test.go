package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// class is a class file of a version that has one method with the given code.
func class(version byte, code string) []byte {
	utf8 := func(s string) string { return "\x01\x00" + string([]byte{byte(len(s))}) + s }
	pool := "\x00\x08" + utf8("C") + "\x07\x00\x01" + utf8("java/lang/Object") + "\x07\x00\x03" + utf8("m") + utf8("()V") + utf8("Code")
	attribute := "\x00\x01\x00\x01\x00\x00\x00" + string([]byte{byte(len(code))}) + code + "\x00\x00\x00\x00"
	method := "\x00\x08\x00\x05\x00\x06\x00\x01\x00\x07\x00\x00\x00" + string([]byte{byte(len(attribute))}) + attribute
	return []byte("\xca\xfe\xba\xbe\x00\x00\x00" + string([]byte{version}) + pool + "\x00\x20\x00\x02\x00\x04\x00\x00\x00\x00\x00\x01" + method + "\x00\x00")
}

const (
	plain = "\xb1"                         // return
	jsr   = "\xa8\x00\x04\xb1\x4c\xa9\x01" // jsr to astore_1; ret 1
)

// jar is a source with the given files.
func jar(t *testing.T, name string, files map[string][]byte) source {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".jar")
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, data := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return source{name, func() (string, error) { return path, nil }}
}

// judged gives what is printed for sources and the sum.
func judged(checks []check, sources ...source) (string, *tally) {
	var out bytes.Buffer
	sum := judge(&out, newProgress(&out), sources, checks)
	sum.print(&out)
	return out.String(), sum
}

func lines(s string) []string {
	var all []string
	for line := range strings.Lines(s) {
		all = append(all, strings.Join(strings.Fields(line), " "))
	}
	return all
}

func TestCounts(t *testing.T) {
	a, b, c := class(45, jsr), class(52, plain), class(53, plain)
	got, sum := judged(checks,
		jar(t, "one", map[string][]byte{"C.class": a, "META-INF/versions/9/C.class": c, "C.txt": nil}),
		jar(t, "two", map[string][]byte{"p/D.class": b}))
	want := []string{
		fmt.Sprintf("one 2 classes versions 45,53 1 with jsr/ret %d bytes 0 failures", len(a)+len(c)),
		fmt.Sprintf("two 1 classes versions 52 0 with jsr/ret %d bytes 0 failures", len(b)),
		fmt.Sprintf("total: 2 sources, 3 classes, versions 45,52,53, 1 with jsr/ret, %d bytes, 0 failures", len(a)+len(b)+len(c)),
	}
	if !slices.Equal(lines(got), want) {
		t.Errorf("printed\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if len(sum.failures) != 0 {
		t.Errorf("failures %q", sum.failures)
	}
}

func TestFailures(t *testing.T) {
	good := class(52, plain)
	for _, c := range []struct {
		name   string
		source source
		want   string
	}{
		{"no class", jar(t, "x", map[string][]byte{"C.txt": good}), "has no class"},
		{"unreachable", source{"x", func() (string, error) { return "", errors.New("no network") }}, "no network"},
		{"no file", source{"x", func() (string, error) { return filepath.Join(t.TempDir(), "x.jar"), nil }}, "x.jar"},
		{"left out", jar(t, "x", map[string][]byte{"C.class": good, "../D.class": good}), "../D.class"},
		{"too short", jar(t, "x", map[string][]byte{"C.class": good[:7]}), "C.class: 7 bytes"},
		{"cut", jar(t, "x", map[string][]byte{"C.class": good[:len(good)-1]}), "round trip: C.class: class file"},
		{"bad code", jar(t, "x", map[string][]byte{"C.class": class(52, "\xff")}), "instructions: C.class: m()V"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, sum := judged(checks, c.source)
			if len(sum.failures) == 0 || !strings.Contains(got, c.want) {
				t.Errorf("printed\n%s\nwant a failure with %q", got, c.want)
			}
		})
	}
}

func TestChecksSeeEveryClass(t *testing.T) {
	files := map[string][]byte{}
	for i := range 100 {
		files[fmt.Sprintf("p/C%02d.class", i)] = class(52, plain)
	}
	bad := []check{
		{"odd", func(name string, _ []byte) error {
			if strings.HasSuffix(name, "1.class") {
				return errors.New("is odd")
			}
			return nil
		}},
		{"panics", func(name string, _ []byte) error { panic("at " + name) }},
	}
	got, sum := judged(bad[:1], jar(t, "x", files))
	if len(sum.failures) != 10 || !strings.Contains(got, "    odd: p/C51.class: is odd\n") {
		t.Errorf("printed\n%s\nwant the ten that end in 1", got)
	}
	got, sum = judged(bad[1:], jar(t, "x", files))
	if len(sum.failures) != 100 || !strings.Contains(got, "panics: p/C00.class: panic: at p/C00.class") || !strings.Contains(got, "    and 80 more\n") {
		t.Errorf("printed\n%s\nwant 100 failures", got)
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"abc", "abc", ""},
		{"abc", "abd", "offset 2"},
		{"abc", "ab", "3 bytes became 2, different from offset 2"},
		{"", "a", "0 bytes became 1"},
	} {
		err := same("it", []byte(c.before), []byte(c.after))
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: %v, want %q", c.before, c.after, err, c.want)
		}
	}
}

func TestDemand(t *testing.T) {
	sum := newTally("total")
	for v := 45; v <= 48; v++ {
		sum.count(verdict{version: v, jsr: true})
	}
	sum.count(verdict{version: 49})
	sum.demand()
	if len(sum.failures) != 1 || !strings.Contains(sum.failures[0].Error(), "version 49") {
		t.Errorf("failures %q, want one about version 49", sum.failures)
	}
}

func TestVersionList(t *testing.T) {
	for want, versions := range map[string][]int{
		"none": nil, "52": {52}, "52,53": {53, 52}, "45-47": {45, 46, 47}, "45,47-50,52": {45, 47, 48, 49, 50, 52}, "45,46,48,49": {45, 46, 48, 49},
	} {
		set := map[int]int{}
		for _, v := range versions {
			set[v]++
		}
		if got := list(set); got != want {
			t.Errorf("%v: %q, want %q", versions, got, want)
		}
	}
}

// TestRun runs the command on one artifact. The counts were found with another program.
func TestRun(t *testing.T) {
	jvmtest.Jar(t, "junit-3.8")
	var out bytes.Buffer
	if err := run(&out, &out, []string{"-only", "junit-3.8"}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if got, want := lines(out.String()), "junit-3.8 100 classes versions 45 6 with jsr/ret 197916 bytes 0 failures"; len(got) != 2 || got[0] != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"-only no-such": "junit-3.8, ", "-only": "needs an argument", "-x": "not defined", "extra": "unexpected argument",
	} {
		var out bytes.Buffer
		if err := run(&out, &out, strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	chosen, err := choose(allSources(), "jdk25,asm,jdk17")
	if err != nil || len(chosen) != 3 || chosen[0].name != "jdk25" || chosen[1].name != "asm" || chosen[2].name != "jdk17" {
		t.Errorf("chose %v, %v", chosen, err)
	}
}
