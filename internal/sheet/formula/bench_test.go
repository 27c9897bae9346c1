package formula

import "testing"

var benchFormulas = []struct{ name, src string }{
	{"short", "B12*$C$1+D2"},
	{"typical", "IF(B12>$C$1,SUM(D2:D40)*Rates!$B$3,VLOOKUP(A12,Table!A1:F200,3,FALSE))"},
}

// report adds formulas per second and microseconds per 10 bytes.
func report(b *testing.B, src string) {
	perOp := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(1/perOp, "formulas/s")
	b.ReportMetric(perOp*1e6/float64(len(src))*10, "µs/10B")
}

func BenchmarkAppendNormalRefs(b *testing.B) {
	for _, bb := range benchFormulas {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			var dst []byte
			var refs []Ref
			var err error
			for b.Loop() {
				dst, refs, err = AppendNormalRefs(dst[:0], refs[:0], bb.src, Cell{"Sheet1", 12, 7}, Offset{})
				if err != nil {
					b.Fatal(err)
				}
			}
			report(b, bb.src)
		})
	}
}

func BenchmarkParseNormalRefs(b *testing.B) {
	for _, bb := range benchFormulas {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f, err := Parse(bb.src)
				if err != nil {
					b.Fatal(err)
				}
				if f.Normal(Cell{"Sheet1", 12, 7}) == "" || len(f.Refs("Sheet1")) == 0 {
					b.Fatal("no normal form or no references")
				}
			}
			report(b, bb.src)
		})
	}
}

// TestStreamAllocates checks that the streaming path makes no garbage once its
// buffers are large enough.
func TestStreamAllocates(t *testing.T) {
	dst, refs := make([]byte, 0, 4096), make([]Ref, 0, 64)
	for _, bb := range benchFormulas {
		n := testing.AllocsPerRun(100, func() {
			_, _, err := AppendNormalRefs(dst, refs, bb.src, Cell{"Sheet1", 12, 7}, Offset{})
			if err != nil {
				t.Fatal(err)
			}
		})
		if n > 0 {
			t.Errorf("%s: %v allocations for each formula", bb.name, n)
		}
	}
}
