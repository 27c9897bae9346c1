package callgraph_test

import (
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/callgraph"
	"winnow/internal/jvm/observed"
	"winnow/internal/technique/techniquetest"
)

// program has the ways in which Java code comes to run other code.
const program = `name calls
seed 0
revision
-- 0/src/p/Shape.java --
package p; public interface Shape extends Comparable<Shape> {
	double area();
	default String text() { return name() + tail(); }
	private String tail() { return "!"; }
	String name();
	default int compareTo(Shape o) { return Double.compare(area(), o.area()); }
}
-- 0/src/p/Base.java --
package p; public abstract class Base implements Shape {
	static int made; static { made = Counter.start(); }
	protected Base() { made++; hook(); }
	protected void hook() {}
	@Override public String name() { return getClass().getSimpleName(); }
}
-- 0/src/p/Counter.java --
package p; class Counter { static int start() { return 0; } static final int[] LOG = log(); static int[] log() { return new int[1]; } }
-- 0/src/p/Square.java --
package p; public class Square extends Base {
	final double side; public Square(double s) { side = s; }
	@Override public double area() { return side * side; }
	@Override protected void hook() { super.hook(); Counter.LOG[0]++; }
	@Override public int hashCode() { return helper(); }
	@Override public boolean equals(Object o) { return o instanceof Square s && s.side == side; }
	private int helper() { return new Inner().get(); }
	class Inner { int get() { return (int) side; } }
}
-- 0/src/p/Kind.java --
package p; public enum Kind {
	SMALL { @Override public int of(int x) { return x; } }, LARGE { @Override public int of(int x) { return Other.twice(x); } };
	public abstract int of(int x);
	static class Other { static int twice(int x) { return 2 * x; } }
}
-- 0/src/p/Pair.java --
package p; public record Pair(int a, Object b) { public Pair { check(a); } static void check(int a) { if (a < 0) throw new Bad(); } public static class Bad extends RuntimeException { @Override public String getMessage() { return why(); } static String why() { return "bad"; } } }
-- 0/src/p/Work.java --
package p; import java.util.*; import java.util.function.*;
public class Work {
	public static int apply(Function<Integer, Integer> f) { return f.apply(1); }
	public static Supplier<Shape> maker() { return () -> new Square(2); }
	public static int twice(int x) { return 2 * x; }
	public static class Loop implements Runnable { int n; @Override public void run() { n = count(); } int count() { return 3; } }
	public static class Res implements AutoCloseable { @Override public void close() { closed(); } static void closed() {} }
	interface Lazy { int K = compute(); static int compute() { return 5; } default int get() { return K; } }
	public static class Eager implements Lazy {}
}
-- 0/test/t/CallsTest.java --
package t; import p.*; import java.util.*;
public class CallsTest {
	public void shapes() { Shape[] all = { new Square(2), new Square(1) }; Arrays.sort(all); if (!all[0].text().equals("Square!")) throw new AssertionError(all[0].text()); }
	public void sets() { Set<Object> s = new HashSet<>(); s.add(new Square(1)); s.add(new Square(1)); if (s.size() != 1) throw new AssertionError(); }
	public void lambdas() { int k = Work.apply(x -> x + Work.twice(x)) + Work.apply(Work::twice) + (int) Work.maker().get().area(); if (k != 9) throw new AssertionError(k); }
	public void enums() { int k = 0; for (Kind e : Kind.values()) k += e.of(1); switch (Kind.valueOf("SMALL")) { case SMALL: k++; default: } if (k != 4) throw new AssertionError(k); }
	public void records() { if (!new Pair(1, "x").equals(new Pair(1, "x"))) throw new AssertionError(); try { new Pair(-1, new Square(1)).hashCode(); } catch (RuntimeException e) { e.getMessage(); } }
	public void threads() throws Exception { Thread t = new Thread(new Work.Loop()); t.start(); t.join(); }
	public void resources() { try (Work.Res r = new Work.Res()) { new Work.Eager().get(); } }
	public void anonymous() { Object o = new Base() { @Override public double area() { return 1; } @Override protected void hook() { local(); } void local() {} }; if (o.equals(null)) throw new AssertionError(); }
}
`

// TestProgram compares the graph of a program with what a real JVM did, and with examples.
func TestProgram(t *testing.T) {
	r := techniquetest.Observe(t, program)[0]
	g, err := callgraph.Build(r.Program)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("runs", func(t *testing.T) { runsWithin(t, g, r) })
	t.Run("edges", func(t *testing.T) { edges(t, g.String()) })
	t.Run("callbacks", func(t *testing.T) { callbacks(t, g.Callbacks()["p/Square"]) })
}

// runsWithin: what tests enter is reachable from the methods of their class and from call-backs.
func runsWithin(t *testing.T, g *callgraph.Graph, r techniquetest.Revision) {
	if len(r.Runs) != 8 {
		t.Fatalf("%d runs", len(r.Runs))
	}
	var callbacks []observed.Method
	for _, list := range g.Callbacks() {
		callbacks = append(callbacks, list...)
	}
	entered := 0
	for _, run := range r.Runs {
		if !run.Passed {
			t.Errorf("%s failed", run.Test.ID)
		}
		roots := g.Methods(run.Test.Class)
		whole, rapid := g.Reachable(append(callbacks, roots...)...), g.Rapid(roots...)
		for _, m := range run.Trace.Entered {
			entered++
			if !whole[m] {
				t.Errorf("%s entered %s, which is not reachable", run.Test.ID, m)
			}
			if !rapid.Reached[m] {
				t.Errorf("%s entered %s, which rapid type analysis does not reach", run.Test.ID, m)
			}
		}
	}
	t.Logf("%d methods entered", entered)
	if entered < 60 {
		t.Errorf("only %d methods entered", entered)
	}
}

// edges has examples of edges that are there, and of some that are not.
func edges(t *testing.T, text string) {
	for _, want := range []string{
		"p/Base.<init>()V p/Base.<clinit>()V", // made++ uses a static field
		"p/Base.<init>()V p/Base.hook()V",
		"p/Base.<init>()V p/Square.hook()V",
		"p/Base.<init>()V t/CallsTest$1.hook()V",
		"p/Base.<clinit>()V p/Counter.<clinit>()V",
		"p/Shape.compareTo(Lp/Shape;)I p/Square.area()D",
		"p/Shape.text()Ljava/lang/String; p/Shape.tail()Ljava/lang/String;",
		"p/Square.hook()V p/Base.hook()V",
		"p/Work.maker()Ljava/util/function/Supplier; p/Work.lambda$maker$0()Lp/Shape;",
		"t/CallsTest.lambdas()V p/Work.twice(I)I",
		"t/CallsTest.resources()V p/Work$Lazy.<clinit>()V",
		"t/CallsTest.sets()V java/util/Set.add(Ljava/lang/Object;)Z",
		"t/CallsTest.threads()V java/lang/Thread.start()V",
		"p/Work.apply(Ljava/util/function/Function;)I java/util/function/Function.apply(Ljava/lang/Object;)Ljava/lang/Object;",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no edge %s", want)
		}
	}
	for _, wrong := range []string{
		"p/Square.hook()V p/Square.hook()V", // super.hook() chooses nothing
		"p/Square.hook()V t/CallsTest$1.hook()V",
		"p/Shape.compareTo(Lp/Shape;)I p/Base.area()D",
		"t/CallsTest.sets()V p/Square.hashCode()I", // a call-back
	} {
		if strings.Contains(text, wrong+"\n") {
			t.Errorf("edge %s", wrong)
		}
	}
}

func callbacks(t *testing.T, got []observed.Method) {
	square := func(name, descriptor string) observed.Method {
		return observed.Method{Class: "p/Square", Name: name, Descriptor: descriptor}
	}
	for _, m := range []observed.Method{square("hashCode", "()I"), square("equals", "(Ljava/lang/Object;)Z"), {Class: "p/Shape", Name: "compareTo", Descriptor: "(Ljava/lang/Object;)I"}} {
		if !slices.Contains(got, m) {
			t.Errorf("call-backs %v without %s", got, m)
		}
	}
	if slices.Contains(got, square("hook", "()V")) || slices.Contains(got, square("area", "()D")) {
		t.Errorf("call-backs %v", got)
	}
}
