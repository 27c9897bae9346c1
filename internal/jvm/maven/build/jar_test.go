package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/testenv"
)

// TestReproducible checks that the committed jar is what its sources compile to.
func TestReproducible(t *testing.T) {
	jvmtest.JDK(t, 17)
	from, err := findTools()
	if err != nil {
		testenv.Missing(t, "Maven (mvn)", err)
	}
	want, err := from.jar(filepath.Join("..", "java"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "extension.jar"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("extension.jar is not what java/ compiles to; run: go run ./internal/jvm/maven/build")
	}
}

func TestNoSources(t *testing.T) {
	if _, err := (tools{}).compile(t.TempDir(), t.TempDir()); err == nil {
		t.Error("an empty directory compiled")
	}
}
