package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// TestJarIsBuiltFromItsSources: the committed jar is what the sources give, to the byte.
func TestJarIsBuiltFromItsSources(t *testing.T) {
	want, err := os.ReadFile("../agent.jar")
	if err != nil {
		t.Fatal(err)
	}
	got, err := build(jvmtest.JDK(t, compiler), "..")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the committed jar has %d bytes and is not what its sources give (%d bytes); run go run ./internal/jvm/agent/build", len(want), len(got))
	}
}

// TestJar looks at what every JVM from Java 8 on must find in the jar.
func TestJar(t *testing.T) {
	jar, err := zip.OpenReader("../agent.jar")
	if err != nil {
		t.Fatal(err)
	}
	defer jar.Close()
	classes := 0
	for _, f := range jar.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f.Name, ".class") {
			continue
		}
		classes++
		if version := binary.BigEndian.Uint16(data[6:]); version != 52 {
			t.Errorf("%s has class version %d, want 52", f.Name, version)
		}
	}
	if classes < 10 {
		t.Errorf("only %d classes", classes)
	}
}

// TestOldJava: a source that calls what Java 8 does not have is refused, so no such class can get into the jar.
func TestOldJava(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"java/winnow/agent/New.java": "package winnow.agent;\n\nfinal class New {\n    Object o = java.util.List.of();\n}\n",
		"java9/winnow/agent/M.java":  "package winnow.agent;\n\nfinal class M {\n    Object o = java.util.List.of();\n}\n",
		"stubs/java/lang/S.java":     "package java.lang;\n\nfinal class S {}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	jar, err := build(jvmtest.JDK(t, compiler), dir)
	if jar != nil || err == nil || !strings.Contains(err.Error(), "New.java") || strings.Contains(err.Error(), "M.java") {
		t.Errorf("%d bytes, %v", len(jar), err)
	}
}
