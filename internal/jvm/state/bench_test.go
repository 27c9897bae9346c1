package state

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/internal/jvm/agent"
)

// A crowd is a made-up program: classes of ten methods each, of which one in five reads and fills a static field of its class, and calls at random.
type crowd struct {
	classes map[string]*Class
	methods []agent.Method
}

func newCrowd(r *rand.Rand, methods int) *crowd {
	c := &crowd{classes: map[string]*Class{"java/lang/Object": {Name: "java/lang/Object"}}}
	name := func(i int) agent.Method {
		return agent.Method{Class: fmt.Sprintf("p/C%d", i/10), Name: fmt.Sprintf("m%d", i%10), Descriptor: "()Ljava/lang/Object;"}
	}
	for i := range methods {
		m := name(i)
		class := c.classes[m.Class]
		if class == nil {
			class = &Class{Name: m.Class, Super: "java/lang/Object", Fields: []Field{{Name: "f", Descriptor: "Ljava/lang/Object;", Static: true}}}
			c.classes[m.Class] = class
		}
		b := Body{Name: m.Name, Descriptor: m.Descriptor, Branches: true}
		for range 4 {
			to := name(r.IntN(methods))
			b.Calls = append(b.Calls, Member{Class: to.Class, Name: to.Name, Descriptor: to.Descriptor})
		}
		if i%5 == 0 {
			f := Member{Class: m.Class, Name: "f", Descriptor: "Ljava/lang/Object;", Static: true}
			b.Reads, b.Writes = []Member{f}, []Member{f}
		}
		class.Methods = append(class.Methods, b)
		c.methods = append(c.methods, m)
	}
	return c
}

func (c *crowd) Class(name string) (*Class, error) { return c.classes[name], nil }
func (c *crowd) JDK(name string) bool              { return name == "java/lang/Object" }
func (c *crowd) Own(name string) bool              { return true }

func (c *crowd) Method(id int) (agent.Method, bool) { return c.methods[id], true }

// trace is tests that each enter some of the methods: neighbours, as those of a package are.
func (c *crowd) trace(r *rand.Rand, tests, entered int) *agent.Trace {
	t := &agent.Trace{Process: &agent.Footprint{}}
	for i := range tests {
		at := r.IntN(len(c.methods) - entered*3/2)
		var ids []int
		for _, k := range r.Perm(entered * 3 / 2)[:entered] {
			ids = append(ids, at+k)
		}
		slices.Sort(ids)
		t.Tests = append(t.Tests, &agent.TestTrace{Node: agent.Node{Key: fmt.Sprint(i)}, Own: &agent.Footprint{Methods: ids}, Shared: []*agent.Footprint{t.Process}})
	}
	return t
}

// BenchmarkInherit has 5,000 tests that enter 2,000 of 20,000 methods each.
func BenchmarkInherit(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	c := newCrowd(r, 20_000)
	trace := c.trace(r, 5_000, 2_000)
	for b.Loop() {
		if _, err := inherit(c, c, trace, nil); err != nil {
			b.Fatal(err)
		}
	}
}
