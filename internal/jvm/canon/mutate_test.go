package canon_test

import (
	"fmt"
	"slices"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

// rich has at least one of everything that javac writes into class files.
var rich = map[string]string{"p/Rich.java": `package p;
import java.lang.annotation.*;
import java.util.function.*;
import java.io.*;

public abstract class Rich<T extends Comparable<T>> extends Base<T> implements Runnable, Serializable {
	@Retention(RetentionPolicy.RUNTIME) @interface Mark { int value() default 3; String[] names() default {"a"}; Class<?> type() default Object.class; Color color() default Color.RED; Inner inner() default @Inner(4); }
	@Retention(RetentionPolicy.RUNTIME) @interface Inner { long value(); }
	@Retention(RetentionPolicy.CLASS) @interface Kept {}
	@Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface Use { double d() default 1.5; }
	enum Color { RED, GREEN { int f() { return 2; } }; int f() { return 1; } }
	record Pair<A>(@Mark A left, int @Use [] right) {}
	sealed interface Shape permits Circle, Square {}
	static final class Circle implements Shape { double r; }
	static final class Square implements Shape { float a; }
	static final long serialVersionUID = 42L;
	static final int I = 7; static final double D = 2.5; static final String S = "text"; static final float F = 1.25f; static final boolean B = true;
	@Mark(5) protected volatile transient int field; @Deprecated private static T2 t2 = null; static class T2 {}
	private final T value; int[] numbers = {1, 2, 3};
	static { System.setProperty("x", "y"); }
	Rich(T value) { this.value = value; }
	@Mark(names = {}) @Kept public synchronized <X extends Exception> T m(@Mark(6) int a, @Kept String... more) throws X, IOException {
		Supplier<String> s = () -> "lambda" + a;
		Function<String, Object> ref = String::length;
		Object anon = new Object() { @Override public String toString() { return s.get() + ref.apply("1"); } };
		class Local { int k = 300000; long l = 1L << 40; }
		switch (a) { case 1: return value; case 2: return null; case 3: field++; break; default: field = 40000; }
		switch (a) { case 1000: return value; case -5: return null; }
		switch (more[0]) { case "one": field = 1; break; case "two": field = 2; }
		switch (Color.values()[a]) { case RED: return value; default: }
		try { field += new Local().k; } catch (IllegalStateException | IllegalArgumentException e) { return null; } finally { field--; }
		for (int i = 0; i < a; i += 200) { synchronized (this) { field ^= i; } }
		int[][] grid = new int[3][4]; assert grid.length > 2 : "grid";
		Object o = more; if (o instanceof String[] strings && strings.length > 1) { return value; }
		return anon.hashCode() > 3 ? value : (T) null;
	}
	public native void nat(); protected abstract class Strict {}
	abstract void abs();
	static Object pattern(Shape s) { Class<?> c = int[].class; return s instanceof Circle ? (Object) Circle.class : s; }
}
abstract class Base<T> { T compare(T a) { return a; } }
`}

// A span is a piece of a class file about which digests may be blind.
type span struct {
	start, end int
	why        string
}

// blindSpans finds the bytes that no digest need cover: contents of attributes that are left out.
func blindSpans(t *testing.T, data []byte) []span {
	t.Helper()
	c, err := classfile.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	var out []span
	var unseen []uint16 // constants that are named in blind places
	add := func(attributes []classfile.Attribute, inCode bool) {
		for _, a := range attributes {
			name, _ := c.Pool.UTF8(a.Name)
			switch meaning := canon.Attributes[name]; meaning {
			case canon.Debug, canon.Derived, canon.Compiler:
				out = append(out, span{a.Offset, a.Offset + len(a.Info), name})
				unseen = append(unseen, frameClasses(t, c, a, name)...)
			default:
				if inCode {
					out = append(out, span{a.Offset, a.Offset + len(a.Info), name + " in code"})
				}
			}
		}
	}
	add(c.Attributes, false)
	for _, m := range slices.Concat(c.Fields, c.Methods) {
		add(m.Attributes, false)
		code, err := c.Code(&m)
		if err != nil {
			t.Fatal(err)
		}
		if code != nil {
			at := c.Find(m.Attributes, "Code").Offset
			out = append(out, padding(t, code.Bytes, at+8)...)
			add(code.Attributes, true)
		}
	}
	spans, constants := foreignInner(t, c)
	return append(append(out, spans...), constantSpans(c, append(unseen, constants...))...)
}

// padding is the room between a switch and its table, which starts at a multiple of four.
func padding(t *testing.T, code []byte, at int) []span {
	t.Helper()
	var out []span
	var in bytecode.Instruction
	for pc := 0; pc < len(code); pc += in.Len {
		if err := in.Decode(code, pc); err != nil {
			t.Fatal(err)
		}
		if in.Op == bytecode.Tableswitch || in.Op == bytecode.Lookupswitch {
			out = append(out, span{at + pc + 1, at + (pc+4)&^3, "padding"})
		}
	}
	return out
}

// frameClasses are the classes that a StackMapTable names.
func frameClasses(t *testing.T, c *classfile.Class, a classfile.Attribute, name string) []uint16 {
	t.Helper()
	if name != "StackMapTable" {
		return nil
	}
	v, err := a.Value(&c.Pool, classfile.InCode)
	if err != nil {
		t.Fatal(err)
	}
	var out []uint16
	for _, f := range v.(*classfile.StackMapTable).Frames {
		for _, x := range slices.Concat(f.Locals, f.Stack) {
			if x.Tag == classfile.TypeObject {
				out = append(out, x.Data)
			}
		}
	}
	return out
}

// foreignInner are the entries of InnerClasses about other classes, which no reflection on this one shows.
func foreignInner(t *testing.T, c *classfile.Class) (spans []span, constants []uint16) {
	t.Helper()
	a := c.Find(c.Attributes, "InnerClasses")
	if a == nil {
		return nil, nil
	}
	v, err := a.Value(&c.Pool, classfile.InClass)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range v.(*classfile.InnerClasses).Classes {
		inner, _ := c.Pool.Class(e.Inner)
		outer, _ := c.Pool.Class(e.Outer)
		if inner != c.Name() && outer != c.Name() {
			spans = append(spans, span{a.Offset + 2 + 8*i, a.Offset + 10 + 8*i, "InnerClasses"})
			constants = append(constants, e.Inner, e.Outer, e.Name)
		}
	}
	return spans, constants
}

// constantSpans finds constants, and the texts they name, in the file.
func constantSpans(c *classfile.Class, indices []uint16) []span {
	wanted := map[uint16]bool{}
	for _, i := range indices {
		wanted[i] = true
		wanted[c.Pool.At(i).A] = true
	}
	var out []span
	at := 10
	for i := 1; i < c.Pool.Len(); i++ {
		size := map[classfile.Tag]int{classfile.TagUtf8: 3, classfile.TagLong: 9, classfile.TagDouble: 9, classfile.TagClass: 3, classfile.TagString: 3,
			classfile.TagMethodType: 3, classfile.TagMethodHandle: 4, classfile.TagNone: 0}
		k := c.Pool.At(uint16(i))
		n, ok := size[k.Tag]
		if !ok {
			n = 5
		}
		n += len(k.Text)
		if wanted[uint16(i)] {
			out = append(out, span{at, at + n, "constant"})
		}
		at += n
	}
	return out
}

// all is a digest of everything that canon says about a class alone.
func all(u *canon.Unit) (digest.Digest, error) {
	c, err := canon.NewSet(u).Class(u.Name)
	if err != nil {
		return digest.Unknown, err
	}
	var b digest.Builder
	b.AddString(c.Name).Add(c.Shape[:])
	for _, m := range c.Methods {
		b.AddString(m.Name + m.Descriptor).Add(m.Body[:])
	}
	return b.Sum(), nil
}

// Any byte of a class file that is changed changes a digest, makes the class unreadable, or lies where blindness is meant.
func TestNoBlindByte(t *testing.T) {
	mutations, noticed, refused := 0, 0, 0
	for name, data := range jvmtest.Javac(t, jvmtest.JDK(t, 17), rich, "-g:none", "--release", "17") {
		u, err := canon.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		want, err := all(u)
		if err != nil {
			t.Fatal(err)
		}
		spans := blindSpans(t, data)
		var blind []string
		for at := range data {
			meant := slices.ContainsFunc(spans, func(s span) bool { return at >= s.start && at < s.end })
			for _, flip := range []byte{1, 2, 0x80} {
				mutant := slices.Clone(data)
				mutant[at] ^= flip
				mutations++
				u, err := canon.Read(mutant)
				if err == nil {
					var got digest.Digest
					if got, err = all(u); err == nil && got == want {
						if !meant {
							blind = append(blind, fmt.Sprintf("offset %d ^ %#x", at, flip))
						}
						continue
					}
				}
				if err != nil {
					refused++
				} else {
					noticed++
				}
			}
		}
		for _, b := range blind {
			t.Errorf("%s: %s changes nothing", name, b)
		}
	}
	t.Logf("%d mutations: %d noticed, %d refused", mutations, noticed, refused)
	if noticed < 1000 || refused < 100 {
		t.Errorf("only %d noticed, %d refused", noticed, refused)
	}
}
