package hierarchy

import (
	"reflect"
	"strings"
	"testing"

	"winnow/internal/jvm/classfile"
)

// TestOf checks that what was assembled is what is read, for every class of generated programs.
func TestOf(t *testing.T) {
	platform := map[string]*Class{object: {Name: object, Access: public}}
	classes, nests, sealed := 0, 0, 0
	for seed := range uint64(300) {
		p := generateOnce(seed, 0, platform)
		for _, c := range p.classes {
			data, err := declare(c).Bytes()
			if err != nil {
				t.Fatal(err)
			}
			file, err := classfile.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Of(file)
			if err != nil {
				t.Fatal(err)
			}
			if got.Methods[0].Name != "<clinit>" {
				t.Fatalf("first method is %v", got.Methods[0])
			}
			got.Methods = got.Methods[1:]
			if !reflect.DeepEqual(normal(got), normal(c)) {
				t.Errorf("seed %d: got %+v, want %+v", seed, got, c)
			}
			classes++
			if c.NestHost != "" {
				nests++
			}
			if c.Sealed {
				sealed++
			}
		}
	}
	if nests < 20 || sealed < 3 {
		t.Errorf("of %d classes %d are in nests and %d sealed", classes, nests, sealed)
	}
}

// normal makes empty lists nil.
func normal(c *Class) *Class {
	d := *c
	for _, list := range []*[]string{&d.Interfaces, &d.NestMembers, &d.Permitted} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	for _, list := range []*[]Member{&d.Fields, &d.Methods} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	return &d
}

// FuzzOf checks that class files of any kind give a class or an error, and that a world of one can be asked everything.
func FuzzOf(f *testing.F) {
	platform := map[string]*Class{object: {Name: object, Access: public}}
	for seed := range uint64(5) {
		for _, c := range generateOnce(seed, 0, platform).classes {
			data, err := declare(c).Bytes()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := classfile.Read(data)
		if err != nil {
			return
		}
		c, err := Of(file)
		if err != nil {
			if c != nil {
				t.Fatal("an error with a class")
			}
			return
		}
		w := small(c)
		w.Know(c.Name)
		if err := w.Load(c.Name); err.kind() == Unreadable {
			t.Fatal(err)
		}
		for _, d := range Diff(w, w.With(map[string]*Class{c.Name: nil}), c.Name) {
			if d.Receiver == "" && c.Name != "" || strings.HasPrefix(d.Name, "<") {
				t.Fatalf("%+v", d)
			}
		}
		for _, m := range c.Methods {
			w.Invoke(Site{Op: 182, From: c.Name, Ref: Ref{Tag: classfile.TagMethodref, Class: c.Name, Name: m.Name, Descriptor: m.Descriptor}}, c.Name)
		}
	})
}
