package classfile_test

import (
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// The benchmarks run over all classes of a JDK in one goroutine; one operation is one pass.

func BenchmarkRead(b *testing.B) {
	benchmark(b, func(data []byte) error {
		_, err := classfile.Read(data)
		return err
	})
}

func BenchmarkDecode(b *testing.B) {
	benchmark(b, func(data []byte) error {
		_, err := classfile.Decode(data)
		return err
	})
}

func BenchmarkDecodeAppend(b *testing.B) {
	var buf []byte
	benchmark(b, func(data []byte) error {
		c, err := classfile.Decode(data)
		if err == nil {
			buf = c.Append(buf[:0])
		}
		return err
	})
}

// BenchmarkInstructions decodes every instruction of every method; reading the classes is not in the time.
func BenchmarkInstructions(b *testing.B) {
	var bodies [][]byte
	var size int64
	for _, s := range jdkClasses(b, 17) {
		c, err := classfile.Read(s.data)
		if err != nil {
			b.Fatal(err)
		}
		for i := range c.Methods {
			code, err := c.Code(&c.Methods[i])
			if err != nil {
				b.Fatal(err)
			}
			if code != nil {
				bodies = append(bodies, code.Bytes)
				size += int64(len(code.Bytes))
			}
		}
	}
	b.SetBytes(size)
	var n int
	for b.Loop() {
		n = 0
		var in bytecode.Instruction
		for _, code := range bodies {
			for pc := 0; pc < len(code); pc += in.Len {
				if err := in.Decode(code, pc); err != nil {
					b.Fatal(err)
				}
				n++
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/instruction")
}

func benchmark(b *testing.B, do func([]byte) error) {
	samples := jdkClasses(b, 17)
	var size int64
	for _, s := range samples {
		size += int64(len(s.data))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range samples {
			if err := do(s.data); err != nil {
				b.Fatalf("%s: %v", s.name, err)
			}
		}
	}
	perClass := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(len(samples))
	b.ReportMetric(perClass, "ns/class")
	b.ReportMetric(1e9/perClass, "classes/s")
}
