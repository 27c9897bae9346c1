package table

import (
	"testing"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// TestShape compares every class with its table.
func TestShape(t *testing.T) {
	p := open(t, t.TempDir(), new(classpath.Seen), jvmtest.Jar(t, "commons-lang3"))
	all := names(t, p)
	if len(all) < 100 {
		t.Fatalf("%d classes", len(all))
	}
	for _, name := range all {
		of, err := p.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		link, reflect, ok, err := p.Shape(name)
		if err != nil || !ok || link != of.Link || reflect != of.Reflect {
			t.Errorf("%s: %v %v %v %v, want %v %v", name, link, reflect, ok, err, of.Link, of.Reflect)
		}
	}
	if _, _, ok, err := p.Shape("no/Such"); ok || err != nil {
		t.Errorf("a class that is not there: %v, %v", ok, err)
	}
}
