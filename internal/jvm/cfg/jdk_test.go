package cfg

import (
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

var full = flag.Bool("full", false, "look at all classes of the JDKs and of the artifacts, not a sample")

// TestClasses makes and checks the graphs of all methods of class files that others compiled: with -full of JDK 17 and 25 and of every artifact, else of one module
// and of jars with subroutines.
func TestClasses(t *testing.T) {
	paths := map[string]string{"jdk17": jvmtest.JDK(t, 17), "junit-3.8": jvmtest.Jar(t, "junit-3.8")}
	wanted := func(e classpath.Entry) bool {
		return e.Module == "" || e.Module == "java.logging" || e.Module == "java.xml"
	}
	if *full {
		paths["jdk25"] = jvmtest.JDK(t, 25)
		for _, a := range jvmtest.All() {
			paths[a.Name] = jvmtest.Jar(t, a.Name)
		}
		wanted = func(classpath.Entry) bool { return true }
	}
	var sum counts
	for name, path := range paths {
		one := checkPath(t, name, path, wanted)
		sum.add(&one)
	}
	t.Logf("%d sources: %d methods, %d blocks, %d edges: %v by kind", len(paths), sum.methods, sum.blocks, sum.edges, sum.kinds)
	for kind, n := range sum.kinds {
		if n == 0 {
			t.Errorf("no edge of kind %s", Kind(kind))
		}
	}
	if sum.methods < 10000 {
		t.Errorf("only %d methods", sum.methods)
	}
}

type counts struct {
	methods, blocks, edges int
	kinds                  [Exception + 1]int
}

func (c *counts) add(d *counts) {
	c.methods += d.methods
	c.blocks += d.blocks
	c.edges += d.edges
	for i := range c.kinds {
		c.kinds[i] += d.kinds[i]
	}
}

func checkPath(t *testing.T, name, path string, wanted func(classpath.Entry) bool) counts {
	t.Helper()
	src, err := classpath.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	entries, err := src.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var sum counts
	var lock sync.Mutex
	var group sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			var mine counts
			for i := next.Add(1) - 1; i < int64(len(entries)); i = next.Add(1) - 1 {
				if _, ok := entries[i].Class(); !ok || !wanted(entries[i]) {
					continue
				}
				data, err := src.Read(entries[i])
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				checkClass(t, name+"/"+entries[i].Name, data, &mine)
			}
			lock.Lock()
			defer lock.Unlock()
			sum.add(&mine)
		})
	}
	group.Wait()
	return sum
}

func checkClass(t *testing.T, name string, data []byte, sum *counts) {
	file, err := classfile.Read(data)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i := range file.Methods {
		method, _ := file.MemberName(&file.Methods[i])
		code, err := file.Code(&file.Methods[i])
		if err != nil {
			t.Errorf("%s: %s: %v", name, method, err)
		}
		if code == nil {
			continue
		}
		g, err := Of(file, code)
		if err == nil {
			err = g.Check()
		}
		if err != nil {
			t.Errorf("%s: %s: %v", name, method, err)
			continue
		}
		sum.methods++
		sum.blocks += len(g.Blocks)
		sum.edges += len(g.Edges)
		for _, e := range g.Edges {
			sum.kinds[e.Kind]++
		}
	}
}
