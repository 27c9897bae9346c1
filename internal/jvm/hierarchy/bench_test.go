package hierarchy

import (
	"fmt"
	"testing"

	"winnow/internal/jvm/classfile"
)

// large is a world of n classes in a shape like that of real programs: chains of up to six superclasses, one class in ten an interface, eight methods each.
func large(n int) (*World, []*Class) {
	var classes []*Class
	for i := range n {
		c := &Class{Name: name(i), Major: 61, Super: object, Access: classfile.Public | classfile.Super}
		switch {
		case i%10 == 0:
			c.Access = iface
		case i%10 < 7 && i > 0:
			c.Super = name(i - 1)
			if i%10 == 1 {
				c.Super = object
			}
		}
		if i%3 == 0 && i > 10 && i%10 != 0 {
			c.Interfaces = []string{name(i / 10 * 10)}
		}
		for k := range 8 {
			c.Methods = append(c.Methods, Member{fmt.Sprint("m", (i+k)%11), "()V", public})
		}
		classes = append(classes, c)
	}
	return small(classes...), classes
}

func name(i int) string { return fmt.Sprintf("p%d/C%d", i%50, i) }

// changes edits every step-th class: one method less.
func changes(classes []*Class, n int) (map[string]*Class, []string) {
	out := map[string]*Class{}
	var names []string
	for i := range n {
		c := *classes[i*len(classes)/n]
		c.Methods = c.Methods[1:]
		out[c.Name] = &c
		names = append(names, c.Name)
	}
	return out, names
}

// TestDiffCost checks that the work follows the changes: the new world looks at few classes beyond those that the changed ones are related to.
func TestDiffCost(t *testing.T) {
	w, classes := large(20000)
	edits, names := changes(classes, 100)
	after := w.With(edits)
	found := Diff(w, after, names...)
	if len(found) == 0 {
		t.Fatal("no difference found")
	}
	if loaded := len(after.nodes); loaded > 2500 {
		t.Errorf("%d of %d classes were loaded for %d changes", loaded, len(classes), len(names))
	}
}

// BenchmarkDiff shows that the time follows the number of changed classes, not that of all classes.
func BenchmarkDiff(b *testing.B) {
	for _, size := range []int{2000, 20000} {
		w, classes := large(size)
		for _, n := range []int{1, 10, 100} {
			edits, names := changes(classes, n)
			Diff(w, w.With(edits), names...) // the old world remembers what it was asked before
			b.Run(fmt.Sprintf("classes=%d/changed=%d", size, n), func(b *testing.B) {
				for b.Loop() {
					Diff(w, w.With(edits), names...)
				}
			})
		}
	}
}

// BenchmarkKnow measures what it takes to get to know 20,000 classes.
func BenchmarkKnow(b *testing.B) {
	for b.Loop() {
		large(20000)
	}
}
