package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jig"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/observed"
)

const feature = 17

const source = `package p;
public class Foo {
	int x;
	int m() { return 1; }
	static class B extends Foo { M }
	void foo(String s, Foo p) {
		try {
			x = Integer.parseInt(s);
		} catch (E e) {
			x = 2;
		}
		while (x > 0) x -= p.m();
	}
}`

func programs(t *testing.T, texts ...string) []*observed.Program {
	t.Helper()
	jdk := jvmtest.JDK(t, feature)
	lib, err := observed.OpenLibraries(feature, jdk)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	c := jvmtest.NewCompiler(t, jdk)
	var out []*observed.Program
	for _, text := range texts {
		classes, err := c.Compile(map[string]string{"p/Foo.java": text})
		if err != nil {
			t.Fatal(err)
		}
		p, err := observed.NewProgram(classes, lib)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

func compare(t *testing.T, old, new *observed.Program) *jig.Comparison {
	t.Helper()
	var b jig.Builder
	o, err := b.Build(old)
	if err != nil {
		t.Fatal(err)
	}
	n, err := b.Build(new)
	if err != nil {
		t.Fatal(err)
	}
	c, err := jig.Compare(o, n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const wantText = `old
  p/Foo.foo(Ljava/lang/String;Lp/Foo;)V
  [0] entry
        -> [1]
  [1] try
        -> [2]
        exception -> [3], dangerous: word differs
  [2] 0  aload 0
      1  aload 1
      2  invokestatic java/lang/Integer.parseInt(Ljava/lang/String;)I
      5  putfield p/Foo.x:I
        -> [5]
  [3] catch java/lang/NumberFormatException
        caught -> [4]
        exception -> [11]
  [4] 11  astore 3
      12  aload 0
      13  iconst_2
      14  putfield p/Foo.x:I
        -> [6]
  [5] end of try
        -> [6]
        exception -> [11]
  [6] 17  aload 0
      18  getfield p/Foo.x:I
      21  ifle
        F -> [7]
        T -> [9]
  [7] 24  aload 0
      25  dup
      26  getfield p/Foo.x:I
      29  aload 2
      30  invokevirtual p/Foo.m()I
        call p/Foo -> [12]
        call p/Foo$B -> [12], dangerous: word differs
        path -> [8]
  [8] back from the call
      33  isub
      34  putfield p/Foo.x:I
        -> [6]
  [9] 40  return
        -> [10]
  [10] exit
  [11] exceptional exit
  [12] p/Foo.m()I entry
`

func TestMethod(t *testing.T) {
	ps := programs(t, strings.NewReplacer("M ", "", "E e", "NumberFormatException e").Replace(source), strings.NewReplacer("M ", "int m() { return 2; } ", "E e", "RuntimeException e").Replace(source))
	c := compare(t, ps[0], ps[1])
	m := observed.Method{Class: "p/Foo", Name: "foo", Descriptor: "(Ljava/lang/String;Lp/Foo;)V"}
	old, err := Old(c).Method(m)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := Text(&text, Panel{Heading: "old", Picture: old}); err != nil {
		t.Fatal(err)
	}
	if text.String() != wantText {
		t.Errorf("text\n%s\nwant\n%s", text.String(), wantText)
	}
	new, err := New(c).Method(m)
	if err != nil {
		t.Fatal(err)
	}
	var marked []string
	for _, b := range new.Boxes {
		if b.Marked {
			marked = append(marked, b.Lines[0])
		}
	}
	if want := []string{"catch java/lang/RuntimeException", "p/Foo$B.m()I entry"}; !slices.Equal(marked, want) {
		t.Errorf("marked %q, want %q", marked, want)
	}
	wellFormed(t, Panel{Heading: "old", Picture: old}, Panel{Heading: "new", Picture: new}, Panel{Heading: "none", Note: "nothing <here>"})
}

func TestClass(t *testing.T) {
	ps := programs(t, strings.NewReplacer("M ", "", "E e", "RuntimeException e").Replace(source), strings.NewReplacer("M ", `public String toString() { return ""; } `, "E e", "RuntimeException e").Replace(source))
	p, err := Old(compare(t, ps[0], ps[1])).Class("p/Foo$B")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := Text(&text, Panel{Picture: p}); err != nil {
		t.Fatal(err)
	}
	if want := "* -> [3], dangerous: word differs"; p.Dangers() != 1 || !strings.Contains(text.String(), want) {
		t.Errorf("text\n%s\nwant %q", text.String(), want)
	}
	wellFormed(t, Panel{Heading: "old", Picture: p})
}

// wellFormed checks that a picture is XML and has every line of every box.
func wellFormed(t *testing.T, panels ...Panel) {
	t.Helper()
	var b bytes.Buffer
	if err := SVG(&b, "a \"<title>\" &\x01", panels...); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if data, ok := token.(xml.CharData); ok {
			all.Write(data)
		}
	}
	for _, p := range panels {
		if p.Picture == nil {
			continue
		}
		for _, box := range p.Picture.Boxes {
			for _, line := range box.Lines {
				if !strings.Contains(all.String(), escape(line)) && !strings.Contains(all.String(), line) {
					t.Errorf("the picture lacks %q", line)
				}
			}
		}
	}
}

// TestLayout: boxes of random pictures do not overlap, and arrows lead from one layer to the next.
func TestLayout(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	for round := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, round))
		p := &Picture{}
		n := 1 + r.IntN(30)
		for range n {
			p.box(Box{Lines: slices.Repeat([]string{strings.Repeat("x", 1+r.IntN(60))}, 1+r.IntN(30))})
		}
		for range r.IntN(2 * n) {
			p.Arrows = append(p.Arrows, Arrow{From: r.IntN(n), To: r.IntN(n), Label: strings.Repeat("l", r.IntN(15)), Line: Line(r.IntN(3))})
		}
		if err := overlap(arrange(p)); err != nil {
			t.Fatalf("seed %d, round %d: %v", seed, round, err)
		}
	}
}

func overlap(l *layout) error {
	for _, layer := range l.layers {
		for i := 1; i < len(layer); i++ {
			a, b := l.places[layer[i-1]], l.places[layer[i]]
			if a.x+a.w/2 > b.x-b.w/2+0.01 {
				return fmt.Errorf("%v overlaps %v", a, b)
			}
		}
	}
	for i, r := range l.routes {
		for k := 1; k < len(r); k++ {
			if l.places[r[k]].layer != l.places[r[k-1]].layer+1 {
				return fmt.Errorf("arrow %d leaves its layers: %v", i, r)
			}
		}
	}
	for i := range l.p.Boxes {
		if p := l.places[i]; p.x-p.w/2 < -0.01 || p.x+p.w/2 > l.w+0.01 || p.y < 0 || p.y+p.h > l.h+0.01 {
			return fmt.Errorf("box %d is outside", i)
		}
	}
	return nil
}

// TestOverlapIsSeen: the check of layouts can fail.
func TestOverlapIsSeen(t *testing.T) {
	p := &Picture{Boxes: []Box{{Lines: []string{"a"}}, {Lines: []string{"b"}}}}
	l := arrange(p)
	l.places[1].x = l.places[0].x
	if overlap(l) == nil {
		t.Error("two boxes in one place are no overlap")
	}
}

// TestEveryMethod draws every method and class of commons-codec.
func TestEveryMethod(t *testing.T) {
	path, err := classpath.OpenPath(feature, jvmtest.Jar(t, "commons-codec"))
	if err != nil {
		t.Fatal(err)
	}
	defer path.Close()
	files := map[string][]byte{}
	for found, err := range path.Classes() {
		if err != nil {
			t.Fatal(err)
		}
		if files[found.Class], err = found.Read(); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := observed.OpenLibraries(feature, jvmtest.JDK(t, feature))
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	p, err := observed.NewProgram(files, lib)
	if err != nil {
		t.Fatal(err)
	}
	g, err := (&jig.Builder{}).Build(p)
	if err != nil {
		t.Fatal(err)
	}
	v := Plain(g)
	for _, m := range g.Methods() {
		picture, err := v.Method(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := overlap(arrange(picture)); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		picture, err := v.Class(name)
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, Panel{Heading: name, Picture: picture})
	}
}
