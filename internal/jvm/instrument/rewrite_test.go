package instrument

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

// TestStructure compares each rewritten class with the original, by code of its own, and prints what was met.
func TestStructure(t *testing.T) {
	r := newRewriter(t, Scheme{})
	for _, feature := range judges() {
		wanted := only("java.base")
		if *full {
			wanted = all
		}
		var s statistics
		s.check(t, r, jdkClasses(t, feature, wanted))
		t.Logf("JDK %d: %s", feature, s)
	}
	if !*full {
		return
	}
	for _, a := range jvmtest.All() {
		var s statistics
		s.check(t, r, jarClasses(t, a.Name))
		t.Logf("%s: %s", a.Name, s)
	}
}

var seed = flag.Uint64("seed", 0, "seed of TestMutants; 0: a new one")

// TestMutants changes bytes of real classes at random: an error, or a class that differs as its result says.
func TestMutants(t *testing.T) {
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	random := rand.New(rand.NewPCG(*seed, 1))
	classes := jdkClasses(t, features[1], only("java.logging"))
	r := newRewriter(t, Scheme{})
	rewritten, malformed := 0, 0
	for range 3000 {
		c := classes[random.IntN(len(classes))]
		data := slices.Clone(c.data)
		for range 1 + random.IntN(3) {
			data[random.IntN(len(data))] = byte(random.IntN(256))
		}
		res, err := r.Rewrite(data)
		if err != nil {
			continue
		}
		rewritten++
		for _, u := range res.Unprobed {
			if u.Reason == Malformed {
				malformed++
			}
		}
		if _, err := classfile.Decode(data); err != nil {
			continue // then differences cannot tell anything
		}
		if err := differences(data, res, Scheme{}); err != nil {
			t.Fatalf("-seed %d: %s: %v", *seed, c.name, err)
		}
	}
	if rewritten < 500 || malformed == 0 {
		t.Errorf("-seed %d: only %d mutants were rewritten, %d methods malformed", *seed, rewritten, malformed)
	}
}

// TestCutOff gives every beginning of a class.
func TestCutOff(t *testing.T) {
	r := newRewriter(t, Scheme{})
	data := annotated(t)
	for n := range data {
		res, err := r.Rewrite(data[:n:n])
		var format *classfile.FormatError
		if res != nil || !errors.As(err, &format) {
			t.Fatalf("%d of %d bytes: %v, %v", n, len(data), res, err)
		}
	}
}

// TestMalformed: a method that cannot be read is copied and named; the others get their probes.
func TestMalformed(t *testing.T) {
	tests := []struct{ attribute, content, want string }{
		{"StackMapTable", "\x00\x01", "StackMapTable"},
		{"StackMapTable", "\x00\x01\x80", "reserved kind 128"},
		{"StackMapTable", "\x00\x01\x40", "frame 0 is cut off"},
		{"StackMapTable", "\x00\x01\x40\x09", "unknown type"},
		{"StackMapTable", "\x00\x01\xff\x00\x00\x00\x01\x09\x00\x00", "unknown type"},
		{"StackMapTable", "\x00\x01\xff\x00\x00\x00\x01\x07", "cut off"},
		{"StackMapTable", "\x00\x02\xfb\xff\xff\xfb\xff\xff", "outside the code"},
		{"StackMapTable", "\x00\x00\x00", "do not fill it"},
		{"LineNumberTable", "\x00\x01\x00", "LineNumberTable"},
		{"LocalVariableTable", "\x00\x00\x00", "LocalVariableTable"},
		{"RuntimeVisibleTypeAnnotations", "\x00\x01\x00\x00\x00\x00\x00\x00", "RuntimeVisibleTypeAnnotations"},
		{"RuntimeInvisibleTypeAnnotations", "\x00\x01\x43\x00\x00\x00\x00\x01\x00\x01\x00\x01?", "RuntimeInvisibleTypeAnnotations"},
		{"RuntimeVisibleTypeAnnotations", "\x00\x01\x43\x00\x00\x00\x00\x01\x00\x01\x00\x01" + strings.Repeat("[\x00\x01", 1000), "RuntimeVisibleTypeAnnotations"},
		{"CharacterRangeTable", "\x00\x01", "CharacterRangeTable"},
	}
	r := newRewriter(t, Scheme{})
	for _, test := range tests {
		a := assemble(t, 52, "Malformed")
		c := a.method("<clinit>", "()V", "return", nil)
		a.attribute(c, test.attribute, classfile.Unknown(test.content))
		a.method("f", "()I", "iconst_1\n ireturn", nil)
		res, err := r.Rewrite(a.bytes())
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Unprobed) != 1 || res.Unprobed[0].Name != "<clinit>" || res.Unprobed[0].Reason != Malformed || !strings.Contains(res.Unprobed[0].Detail, test.want) {
			t.Errorf("%s %q: %+v, want %q", test.attribute, test.content, res.Unprobed, test.want)
		}
		if len(res.Probes) != 1 || res.Probes[0] != (Probe{"f", "()I", 1, 0}) || res.Window != LostWindow || res.IDs != 1 {
			t.Errorf("%s %q: probes %+v, window %s, %d ids", test.attribute, test.content, res.Probes, res.Window, res.IDs)
		}
	}
}

// TestUnreadableInitializer: instructions that cannot be followed leave the entry of the window.
func TestUnreadableInitializer(t *testing.T) {
	r := newRewriter(t, Scheme{})
	for _, code := range []string{"return\n tableswitch 0 end end", "goto far\n return"} {
		a := assemble(t, 52, "Unreadable")
		c := a.method("<clinit>", "()V", code, nil)
		if strings.HasPrefix(code, "goto") {
			c.Bytes[1] = 0x40
		} else {
			c.Bytes = c.Bytes[:len(c.Bytes)-1]
		}
		res, err := r.Rewrite(a.bytes())
		if err != nil {
			t.Fatal(err)
		}
		if res.Window != EntryWindow || len(res.Probes) != 1 {
			t.Errorf("%q: window %s, probes %v", code, res.Window, res.Probes)
		}
		if err := differences(a.bytes(), res, Scheme{}); err != nil {
			t.Errorf("%q: %v", code, err)
		}
	}
}

func TestNothingToInsert(t *testing.T) {
	a := assemble(t, 52, "Nothing")
	data := a.bytes()
	res, err := newRewriter(t, Scheme{}).Rewrite(data)
	if err != nil || !bytes.Equal(res.Bytes, data) || res.IDs != 0 || res.Window != NoWindow {
		t.Errorf("got %+v, %v", res, err)
	}
	if _, err := newRewriter(t, Scheme{}).Rewrite(assemble(t, 52, DefaultClass).bytes()); err == nil || !strings.Contains(err.Error(), "probe class") {
		t.Errorf("the probe class itself: %v", err)
	}
	if _, err := New(Scheme{Class: strings.Repeat("x", 65536)}); err == nil {
		t.Error("a name that is too long was accepted")
	}
}

func TestUnmoved(t *testing.T) {
	res, err := newRewriter(t, Scheme{}).Rewrite(annotated(t))
	if err != nil || !slices.Equal(res.Unmoved, []Unmoved{{0, "Strange"}}) {
		t.Errorf("got %v, %v", res.Unmoved, err)
	}
}

func TestRebase(t *testing.T) {
	r := newRewriter(t, Scheme{})
	res, err := r.Rewrite(returns(t, "Returns", 0))
	if err != nil {
		t.Fatal(err)
	}
	original := slices.Clone(res.Bytes)
	for _, base := range []int{0, 1, 32767, 32768, 1 << 20, math.MaxInt32 - res.IDs} {
		if err := res.Rebase(base); err != nil {
			t.Fatal(err)
		}
		c, err := classfile.Decode(res.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		for id := range res.IDs {
			k := c.Pool.At(uint16(c.Pool.Len() - res.IDs + id))
			if k.Tag != classfile.TagInteger || int(k.Bits) != base+id {
				t.Errorf("base %d: id %d is %v", base, id, k)
			}
			binary.BigEndian.PutUint32(res.Bytes[res.IDOffset+5*id:], uint32(id))
		}
		if !bytes.Equal(res.Bytes, original) {
			t.Errorf("base %d changes more than ids", base)
		}
	}
	for _, base := range []int{-1, math.MaxInt32 - res.IDs + 1} {
		if res.Rebase(base) == nil {
			t.Errorf("base %d was accepted", base)
		}
	}
}

// TestDigest: whatever changes the output changes the digest, and nothing else.
func TestDigest(t *testing.T) {
	hook := Hook{Class: "C", Target: "t", Methods: []Method{{"m", "()V"}}}
	schemes := []Scheme{{}, {Class: "x"}, {Array: "x"}, {InitEnter: "x"}, {InitExit: "x"}, {HooksOnly: true}, {InitializersOnly: true}, {Edges: true}, {Receivers: true}, {Receivers: true, Received: "x"}, {Hooks: []Hook{hook}}, {Hooks: []Hook{hook, hook}}}
	for _, change := range []func(*Hook){
		func(h *Hook) { h.Class = "D" }, func(h *Hook) { h.Target = "u" }, func(h *Hook) { h.Pass = []Parameter{This} },
		func(h *Hook) { h.Pass = []Parameter{0} }, func(h *Hook) { h.Methods = []Method{{"m", "()I"}} }, func(h *Hook) { h.Methods = nil },
	} {
		h := hook
		change(&h)
		schemes = append(schemes, Scheme{Hooks: []Hook{h}})
	}
	seen := map[string]int{}
	for i, s := range schemes {
		d := s.Digest().String()
		if k, ok := seen[d]; ok {
			t.Errorf("schemes %d and %d have one digest", k, i)
		}
		seen[d] = i
	}
	if same := (Scheme{Class: DefaultClass, Array: DefaultArray, InitEnter: DefaultInitEnter, InitExit: DefaultInitExit}).Digest(); !same.Same(Scheme{}.Digest()) {
		t.Error("the defaults have another digest when they are written out")
	}
}

// TestAtOnce rewrites the same classes in several goroutines with one rewriter.
func TestAtOnce(t *testing.T) {
	r := newRewriter(t, Scheme{})
	classes := jdkClasses(t, features[1], only("java.logging"))
	want := rewriteAll(t, r, classes)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i, c := range classes {
				if got, err := r.Rewrite(c.data); err != nil || !bytes.Equal(got.Bytes, want[i].Bytes) {
					t.Errorf("%s: other bytes, or %v", c.name, err)
				}
			}
		})
	}
	group.Wait()
}
