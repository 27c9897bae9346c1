package state

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

var more = flag.String("jars", "", "also take the jars of this `pattern` for projects")

// A library is a jar that is taken for a project. Its tests enter what they like.
type library struct {
	onPath
	methods []agent.Method
	inits   map[string]int // of initializers, by class
}

func (l *library) Own(name string) bool {
	found, ok, err := l.path.Find(name)
	return err == nil && ok && found.Place.Path == l.path.Places()[1].Path
}

func (l *library) Method(id int) (agent.Method, bool) { return l.methods[id], true }

func openLibrary(t *testing.T, jdk, jar string) *library {
	t.Helper()
	path, err := classpath.OpenPath(17, jdk, jar)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = path.Close() })
	l := &library{onPath: onPath{path, map[string]*Class{}}, inits: map[string]int{}}
	alone, err := classpath.OpenPath(17, jar)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = alone.Close() })
	for found, err := range alone.Classes() {
		if err != nil {
			t.Fatal(err)
		}
		c, err := l.Class(found.Class)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Methods {
			if b := &c.Methods[i]; b.Name == "<clinit>" {
				l.inits[c.Name] = len(l.methods)
			}
			l.methods = append(l.methods, agent.Method{Class: c.Name, Name: c.Methods[i].Name, Descriptor: c.Methods[i].Descriptor})
		}
	}
	return l
}

// trace is tests that enter methods that stand together, and some that do not. All initializers ran.
func (l *library) trace(r *rand.Rand, tests int) *agent.Trace {
	t := &agent.Trace{Process: &agent.Footprint{}, Inits: map[int]*agent.Footprint{}}
	for class, id := range l.inits {
		t.Inits[id] = &agent.Footprint{Name: "init(" + class + ")", Methods: []int{id}}
	}
	for i := range tests {
		var ids []int
		for range 4 {
			at := r.IntN(len(l.methods))
			for id := at; id < min(at+60, len(l.methods)); id++ {
				if l.methods[id].Name != "<clinit>" && r.IntN(3) > 0 {
					ids = append(ids, id)
				}
			}
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
		class := ""
		if len(ids) > 0 {
			class = l.methods[ids[0]].Class
		}
		t.Tests = append(t.Tests, &agent.TestTrace{Node: agent.Node{Key: fmt.Sprint(i), Class: strings.ReplaceAll(class, "/", ".")}, Begin: uint64(2*i + 1), End: uint64(2*i + 2), Outcome: agent.Passed, Own: &agent.Footprint{Methods: ids}, Shared: []*agent.Footprint{t.Process}})
	}
	return t
}

// TestRealCode: code that nobody made for it is gone through to the end, and a test inherits nothing that nobody entered before it ended.
func TestRealCode(t *testing.T) {
	jdk := jvmtest.JDK(t, 17)
	jars := []string{jvmtest.Jar(t, "guava"), jvmtest.Jar(t, "kotlin-stdlib"), jvmtest.Jar(t, "junit")}
	others, err := filepath.Glob(*more)
	if err != nil {
		t.Fatal(err)
	}
	for _, jar := range append(jars, others...) {
		t.Run(filepath.Base(jar), func(t *testing.T) {
			l := openLibrary(t, jdk, jar)
			if len(l.methods) == 0 {
				t.Skip("no methods")
			}
			for seed := range uint64(2) {
				trace := l.trace(rand.New(rand.NewPCG(seed, 7)), 40)
				start := time.Now()
				got, err := inherit(l, l, trace, nil)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				t.Logf("seed %d: %d methods, %d nodes, %v", seed, len(l.methods), len(got.Nodes), time.Since(start).Round(time.Millisecond))
				entered := map[int]bool{}
				for _, f := range trace.Inits {
					for _, id := range f.Methods {
						entered[id] = true
					}
				}
				for i, test := range trace.Tests {
					for _, id := range test.Own.Methods {
						entered[id] = true
					}
					nodes, handed := got.All(test)
					var inherited []int
					for _, n := range nodes {
						inherited = append(inherited, got.Nodes[n].Methods...)
					}
					for _, f := range handed {
						inherited = append(inherited, f.Methods...)
					}
					for _, id := range inherited {
						if !entered[id] {
							t.Fatalf("seed %d: test %d inherits %v, which nobody had entered", seed, i, l.methods[id])
						}
					}
				}
			}
		})
	}
}

// TestRepeatedInvocations: invocations that follow one another and share a footprint have, together, at least what they have if each has one of its own; so have the tests after them.
func TestRepeatedInvocations(t *testing.T) {
	l := openLibrary(t, jvmtest.JDK(t, 17), jvmtest.Jar(t, "guava"))
	for seed := range uint64(2) {
		apart := l.trace(rand.New(rand.NewPCG(seed, 9)), 30)
		once := apart.Tests
		apart.Tests = nil
		shared := &agent.Trace{Process: apart.Process, Inits: apart.Inits}
		for i, test := range once {
			test.Begin, test.End = uint64(4*i+1), uint64(4*i+2)
			again, copied := *test, *test.Own
			again.Begin, again.End = test.End, uint64(4*i+3)
			apart.Tests = append(apart.Tests, test, &again)
			first, second := *test, again
			shared.Tests = append(shared.Tests, &first, &second)
			again.Own = &copied
		}
		want, err := inherit(l, l, apart, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := inherit(l, l, shared, nil)
		if err != nil {
			t.Fatal(err)
		}
		gained := 0
		for i := 0; i < len(apart.Tests); i += 2 {
			has := all(got, shared.Tests[i], shared.Tests[i+1])
			for id := range all(want, apart.Tests[i], apart.Tests[i+1]) {
				if gained++; !has[id] {
					t.Errorf("seed %d: test %d does not have %v", seed, i/2, l.methods[id])
				}
			}
		}
		if gained == 0 {
			t.Errorf("seed %d: nothing is inherited", seed)
		}
	}
}

// all has what tests entered, inherit and were handed.
func all(in *Inheritance, tests ...*agent.TestTrace) map[int]bool {
	out := map[int]bool{}
	for _, t := range tests {
		nodes, handed := in.All(t)
		for _, n := range nodes {
			for _, id := range in.Nodes[n].Methods {
				out[id] = true
			}
		}
		for _, f := range append(handed, t.Own) {
			for _, id := range f.Methods {
				out[id] = true
			}
		}
	}
	return out
}
