// Package asmbench times ASM, the most used Java library for class files, on the work that Winnow's own decoder is compared with: reading class
// files into a tree (ClassReader.accept into a ClassNode, no parsing options).
//
// A pack is a file of class files, each preceded by its length as 32 bits, most significant byte first.
//
// Times are processor times of the reading thread, because other programs may share the machine. They favour ASM: all class files are in memory before the clock starts, the JVM is warmed up with several passes over the whole pack, the
// heap has room for the trees of a whole JDK and is collected between passes only, and the best pass counts. It is one thread; the JVM's
// compiler threads have little left to do after the warm-up. It is not a benchmark of writing, of verification or of start-up.
package asmbench

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"winnow/internal/jvm/jvmtest"
)

//go:embed Bench.java
var source string

const (
	warmUp = 10
	passes = 10
)

// WritePack writes class files to a pack.
func WritePack(path string, classes [][]byte) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	for _, data := range classes {
		if err := binary.Write(w, binary.BigEndian, uint32(len(data))); err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return w.Flush()
}

// Run returns the times of the best and of the median pass of ASM over all classes of a pack on a JDK, after the warm-up. It ends the test if
// the JDK or ASM is missing, or if ASM cannot read a class.
func Run(t testing.TB, jdkHome string, pack string) (best, median time.Duration) {
	t.Helper()
	r, err := run(jdkHome, build(t, jdkHome), pack, warmUp, passes)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Best), time.Duration(r.Median)
}

// A result is what Bench.java prints; times are in nanoseconds.
type result struct {
	Classes, Passes int
	Best, Median    int64
}

// build compiles the program and returns the class path that runs it.
func build(t testing.TB, jdk string) string {
	t.Helper()
	asm := jvmtest.Jar(t, "asm") + string(filepath.ListSeparator) + jvmtest.Jar(t, "asm-tree")
	dir := t.TempDir()
	jvmtest.WriteClasses(t, dir, jvmtest.Javac(t, jdk, map[string]string{"Bench.java": source}, "-cp", asm))
	return asm + string(filepath.ListSeparator) + dir
}

func run(jdk, path, pack string, warmUp, passes int) (result, error) {
	cmd := jvmtest.Command(jdk, "java", "-XX:+UseSerialGC", "-Xmx4g", "-Xms4g", "-Xmn3500m",
		"-cp", path, "Bench", pack, strconv.Itoa(warmUp), strconv.Itoa(passes))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return result{}, fmt.Errorf("time ASM over %s: %w\n%s", pack, err, stderr.Bytes())
	}
	var r result
	if err := json.Unmarshal(out, &r); err != nil {
		return result{}, fmt.Errorf("time ASM over %s: %w in %q", pack, err, out)
	}
	if r.Classes == 0 || r.Passes != passes || r.Best <= 0 || r.Median < r.Best {
		return result{}, fmt.Errorf("time ASM over %s: measured nothing: %s", pack, out)
	}
	return r, nil
}
