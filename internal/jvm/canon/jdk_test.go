package canon_test

import (
	"math"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/jvmtest/asmbench"
)

// imageClasses reads all classes of a JDK's run-time image.
func imageClasses(t testing.TB, feature int) [][]byte {
	t.Helper()
	src, err := classpath.Open(filepath.Join(jvmtest.JDK(t, feature), "lib", "modules"))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	entries, err := src.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, e := range entries {
		if filepath.Ext(e.Name) != ".class" {
			continue
		}
		data, err := src.Read(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data)
	}
	return out
}

func readUnits(t testing.TB, classes [][]byte) []*canon.Unit {
	t.Helper()
	units := make([]*canon.Unit, len(classes))
	for i, data := range classes {
		u, err := canon.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		units[i] = u
	}
	return units
}

// Every class of a JDK has digests, no two classes or methods share a name, and every body can be listed.
func TestJDK(t *testing.T) {
	units := readUnits(t, imageClasses(t, 25))
	set := canon.NewSet(units...)
	seen := map[string]string{}
	methods, renamed := 0, 0
	for _, name := range set.Names() {
		c, err := set.Class(name)
		if err != nil {
			t.Fatal(err)
		}
		if c.Opaque != "" {
			t.Errorf("%s is opaque: %s", name, c.Opaque)
		}
		if other, ok := seen[c.Name]; ok {
			t.Errorf("%s and %s are both called %s", name, other, c.Name)
		}
		seen[c.Name] = name
		if c.Name != name {
			renamed++
		}
		for i, m := range c.Methods {
			methods++
			if i > 0 && m.Name == c.Methods[i-1].Name && m.Descriptor == c.Methods[i-1].Descriptor {
				t.Errorf("%s: two methods are called %s%s", name, m.Name, m.Descriptor)
			}
			if _, err := set.List(name, m.FileName, m.FileDescriptor); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d classes, %d of them with a canonical name, %d methods", len(seen), renamed, methods)
	if len(seen) < 20000 || renamed < 1000 {
		t.Errorf("only %d classes, %d renamed", len(seen), renamed)
	}
}

// BenchmarkDigests decodes all classes of a JDK and digests their methods and shapes: on one thread, held against ASM reading the same
// classes into its tree in a warm JVM (the best pass of each), then on two.
func BenchmarkDigests(b *testing.B) {
	classes := imageClasses(b, 25)
	pack := filepath.Join(b.TempDir(), "pack")
	if err := asmbench.WritePack(pack, classes); err != nil {
		b.Fatal(err)
	}
	all := groups(b, classes)
	const never = time.Duration(math.MaxInt64)
	one, oneWall, twoWall := never, never, never
	for b.Loop() {
		wall, cpu := timed(1, func() { digestAll(b, all, 1) })
		one, oneWall = min(one, cpu), min(oneWall, wall)
		wall, _ = timed(2, func() { digestAll(b, all, 2) })
		twoWall = min(twoWall, wall)
	}
	asm, _ := asmbench.Run(b, jvmtest.JDK(b, 25), pack)
	b.ReportMetric(one.Seconds(), "cpu-s")
	b.ReportMetric(asm.Seconds(), "ASM-cpu-s")
	b.ReportMetric(one.Seconds()/asm.Seconds(), "of-ASM")
	b.ReportMetric(oneWall.Seconds()/twoWall.Seconds(), "gain-of-two-threads")
	b.ReportMetric(float64(len(classes))/one.Seconds(), "classes/s")
	b.ReportMetric(0, "ns/op")
}

// timed gives the time and the processor time of f. Memory is collected before and not meanwhile, as it is in the pass of ASM, whose heap holds all
// that a pass allocates.
func timed(threads int, f func()) (wall, cpu time.Duration) {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	start, used := time.Now(), processorTime()
	f()
	return time.Since(start), processorTime() - used
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// groups puts the class files of each top-level class together: names depend on nothing else in what javac writes.
func groups(b testing.TB, classes [][]byte) [][][]byte {
	b.Helper()
	var out [][][]byte
	at := map[string]int{}
	for _, data := range classes {
		u, err := canon.Read(data)
		if err != nil {
			b.Fatal(err)
		}
		g := canon.Group(u.Name)
		k, ok := at[g]
		if !ok || g == "module-info" {
			k = len(out)
			at[g] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], data)
	}
	return out
}

// digestAll reads and digests classes on some threads, group by group.
func digestAll(b testing.TB, groups [][][]byte, threads int) {
	share(threads, len(groups), func(i int) {
		units := make([]*canon.Unit, len(groups[i]))
		for k, data := range groups[i] {
			u, err := canon.Read(data)
			if err != nil {
				b.Error(err)
				return
			}
			units[k] = u
		}
		set := canon.NewSet(units...)
		for _, u := range units {
			if _, err := set.Class(u.Name); err != nil {
				b.Error(err)
			}
		}
	})
}

// share calls f for every number below n on some threads.
func share(threads, n int, f func(i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range threads {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wait.Wait()
}
