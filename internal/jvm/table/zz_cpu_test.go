package table

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"winnow/internal/jvm/classpath"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func BenchmarkZZ(b *testing.B) {
	dir, jars := benchmarkPath(b)
	_ = jars
	path := append([]string{dir}, jars[:]...)
	cacheDir := "/tmp/table/cache"
	seen := new(classpath.Seen)
	time.Sleep(2100 * time.Millisecond)
	c := cpu()
	open(b, cacheDir, seen, path...)
	fmt.Println("cold", cpu()-c)
	b.Run("warm", func(b *testing.B) {
		c := cpu()
		for b.Loop() {
			open(b, cacheDir, seen, path...)
		}
		fmt.Println("warm", (cpu()-c)/time.Duration(b.N))
	})
	b.Run("dir", func(b *testing.B) {
		c := cpu()
		for b.Loop() {
			open(b, cacheDir, seen, dir)
		}
		fmt.Println("dir", (cpu()-c)/time.Duration(b.N))
	})
	b.Run("jdk", func(b *testing.B) {
		c := cpu()
		for b.Loop() {
			open(b, cacheDir, seen)
		}
		fmt.Println("jdk", (cpu()-c)/time.Duration(b.N))
	})
}
