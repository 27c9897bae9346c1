package classfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// A sample is a class file of a JDK.
type sample struct {
	name string
	data []byte
}

// loaded keeps the classes of a JDK for all tests and benchmarks of the process.
var loaded = struct {
	sync.Mutex
	byFeature map[int][]sample
}{byFeature: map[int][]sample{}}

// jdkClasses are all class files of the run-time image of a JDK.
func jdkClasses(t testing.TB, feature int) []sample {
	t.Helper()
	home := jvmtest.JDK(t, feature)
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.byFeature[feature] == nil {
		samples, err := readImage(home)
		if err != nil {
			t.Fatal(err)
		}
		loaded.byFeature[feature] = samples
	}
	return loaded.byFeature[feature]
}

func readImage(home string) ([]sample, error) {
	src, err := classpath.Open(home)
	if err != nil {
		return nil, err
	}
	samples, err := readSource(src)
	return samples, errors.Join(err, src.Close())
}

func readSource(src classpath.Source) ([]sample, error) {
	entries, err := src.Entries()
	if err != nil {
		return nil, err
	}
	var out []sample
	for _, e := range entries {
		if !strings.HasSuffix(e.Name, ".class") {
			continue
		}
		data, err := src.Read(e)
		if err != nil {
			return nil, err
		}
		out = append(out, sample{e.Module + "/" + e.Name, data})
	}
	return out, nil
}

// TestJDKRoundTrip reads every class of a JDK in both depths, and every instruction, and writes them again.
func TestJDKRoundTrip(t *testing.T) {
	var buf []byte
	var methods, instructions int
	samples := jdkClasses(t, 25)
	seen := map[string]int{}
	for _, s := range samples {
		m, n, err := roundTrip(s.data, &buf)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		methods, instructions = methods+m, instructions+n
		countAttributes(t, s, seen)
	}
	for _, name := range []string{"ModuleHashes", "ModuleMainClass", "ModulePackages", "ModuleResolution", "ModuleTarget"} {
		if seen[name] == 0 {
			t.Errorf("no %s", name)
		}
	}
	t.Logf("%d classes, %d methods with code, %d instructions", len(samples), methods, instructions)
	if len(samples) < 20000 || methods < 100000 || instructions < 1000000 {
		t.Error("that is less than a JDK has")
	}
}

func countAttributes(t *testing.T, s sample, seen map[string]int) {
	t.Helper()
	c, err := classfile.Decode(s.data)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	eachAttribute(c, func(_ classfile.Place, name string, v classfile.Value) {
		seen[name]++
		if _, unknown := v.(classfile.Unknown); unknown {
			t.Errorf("%s: %s is unknown", s.name, name)
		}
	})
}

// roundTrip checks the guarantees for one class file and counts its bodies and instructions. It uses buf as scratch.
func roundTrip(data []byte, buf *[]byte) (methods, instructions int, err error) {
	c, err := classfile.Read(data)
	if err != nil {
		return 0, 0, err
	}
	if *buf = c.Append((*buf)[:0]); !bytes.Equal(*buf, data) {
		return 0, 0, errors.New("Append after Read gives other bytes")
	}
	if c, err = classfile.Decode(data); err != nil {
		return 0, 0, err
	}
	if *buf = c.Append((*buf)[:0]); !bytes.Equal(*buf, data) {
		return 0, 0, errors.New("Append after Decode gives other bytes")
	}
	for i := range c.Methods {
		code, err := c.Code(&c.Methods[i])
		if err != nil {
			return 0, 0, err
		}
		if code == nil {
			continue
		}
		n, err := roundTripCode(code.Bytes, buf)
		if err != nil {
			name, descriptor := c.MemberName(&c.Methods[i])
			return 0, 0, fmt.Errorf("%s%s: %w", name, descriptor, err)
		}
		methods, instructions = methods+1, instructions+n
	}
	return methods, instructions, nil
}

func roundTripCode(code []byte, buf *[]byte) (instructions int, err error) {
	*buf = (*buf)[:0]
	var in bytecode.Instruction
	for pc := 0; pc < len(code); pc += in.Len {
		if err := in.Decode(code, pc); err != nil {
			return 0, err
		}
		*buf = in.Append(*buf)
		instructions++
	}
	if !bytes.Equal(*buf, code) {
		return 0, errors.New("the instructions give other bytes")
	}
	return instructions, nil
}
