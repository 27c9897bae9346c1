package instrument

import "testing"

// BenchmarkRewrite rewrites all classes of JDK 25, one goroutine, from bytes to bytes.
func BenchmarkRewrite(b *testing.B) {
	classes := jdkClasses(b, 25, all)
	r := newRewriter(b, Scheme{})
	var size int64
	for _, c := range classes {
		size += int64(len(c.data))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		for _, c := range classes {
			if _, err := r.Rewrite(c.data); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(classes))/b.Elapsed().Seconds(), "classes/s")
}

// BenchmarkRebase gives all classes of JDK 25 new ids.
func BenchmarkRebase(b *testing.B) {
	results := rewriteAll(b, newRewriter(b, Scheme{}), jdkClasses(b, 25, all))
	b.ResetTimer()
	for b.Loop() {
		base := 0
		for _, r := range results {
			if err := r.Rebase(base); err != nil {
				b.Fatal(err)
			}
			base += r.IDs
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(results))/b.Elapsed().Seconds(), "classes/s")
}
