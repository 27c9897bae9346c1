package state

import (
	"os"
	"reflect"
	"testing"

	"winnow/internal/jvm/agent"
)

// A single is a program of one class whose methods are numbered in order.
type single struct{ of *Class }

func (s single) Class(name string) (*Class, error) {
	if name == s.of.Name {
		return s.of, nil
	}
	return nil, nil
}

func (s single) JDK(name string) bool { return name != s.of.Name }
func (s single) Own(string) bool      { return true }

func (s single) Method(id int) (agent.Method, bool) {
	m := &s.of.Methods[id]
	return agent.Method{Class: s.of.Name, Name: m.Name, Descriptor: m.Descriptor}, true
}

func FuzzReadClass(f *testing.F) {
	data, err := os.ReadFile("testdata/MapCompute.class")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ReadClass(data)
		if err != nil {
			if c != nil {
				t.Errorf("both a class and %v", err)
			}
			return
		}
		again, err := ReadClass(data)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Errorf("read again: %+v, %v; want %+v", again, err, c)
		}
		all := &agent.Footprint{}
		for id := range c.Methods {
			all.Methods = append(all.Methods, id)
		}
		alone := &agent.Trace{Process: &agent.Footprint{}, Tests: []*agent.TestTrace{{Own: all}, {Own: &agent.Footprint{}}}}
		got, err := inherit(single{c}, single{c}, alone, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range got.Tests[alone.Tests[1]] {
			t.Errorf("a test that enters nothing inherits %v", got.Nodes[n])
		}
	})
}
