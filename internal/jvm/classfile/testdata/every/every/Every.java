package every;

import java.io.IOException;
import java.io.StringReader;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes the compiler write each attribute that it can write. */
@Seen(number = 7, text = "x", list = {1, 2}, kind = RetentionPolicy.CLASS, type = String[].class, inside = @Inside("y"))
@Unseen
public abstract class Every<@Use T extends @Use Comparable<@Use ? super T>> extends @Use Object implements @Use Runnable {
    static final int INT = 70000;
    static final long LONG = 1L << 40;
    static final float FLOAT = 1.25f;
    static final double DOUBLE = -0.0;
    static final String STRING = "a\0b\u00e4\u20ac\ud83d\ude00";
    @Deprecated @Seen(number = 1) @Unseen List<@Use @QuietUse String> @Use [] field;
    transient volatile int counter;

    /** @deprecated both the tag and the annotation. */
    @Deprecated
    public <@Use E extends @Use Exception> @Use T generic(@Seen(number = 2) final T a, @Unseen @Use Object b) throws @Use E, IOException { return a; }

    abstract void none(int... many);

    native synchronized static void foreign();

    static int bodies(int n, Object o) throws Exception {
        @Use List<@Use String> list = new @Use ArrayList<@Use String>();
        try (@Use StringReader r = new @Use StringReader("x")) {
            n += r.read();
        } catch (@Use IllegalStateException | @Use IllegalArgumentException e) {
            n--;
        } finally {
            n++;
        }
        Object cast = (@Use CharSequence & @Use Comparable<String>) "s";
        if (cast instanceof @Use String s && s.length() > 1) n += s.length();
        Supplier<@Use List<String>> make = @Use ArrayList<String>::new;
        Function<Object, String> call = Every::<@Use Object>show;
        Runnable run = () -> list.add("lambda" + cast + call);
        synchronized (make) { run.run(); }
        new <@Use String> Every.Generic("x");
        int[][][] cube = new @Use int @Use [2] @Use [3] [];
        return cube.length + choose(n, o);
    }

    static <X> String show(X x) { return "" + x; }

    static class Generic { <X> Generic(X x) {} }

    sealed interface Shape permits Square, Circle {}
    record Square(@Seen(number = 3) @Use int side, List<@Use String> names) implements Shape {}
    record Circle(double radius) implements Shape { Circle { if (radius < 0) throw new IllegalArgumentException(); } }
    enum Color { RED, GREEN { @Override int value() { return 2; } }; int value() { return 1; } }

    static int choose(int n, Object o) {
        switch (n) { case 1: n = 5; break; case 2: n = 6; break; case 3: return 7; default: n = 8; }
        switch (n) { case -1000000: return 1; case 1000000: return 2; default: break; }
        String word = switch (o) {
            case Square(int side, var names) when side > 3 -> "square" + names;
            case Circle c -> "circle" + c.radius();
            case Color c -> c.name();
            case null, default -> "none";
        };
        return switch (word) { case "square" -> 1; case "none" -> 2; default -> word.length(); };
    }

    Object local() {
        class Local { int x = counter; }
        return new Object() { @Override public String toString() { return "" + new Local().x; } };
    }

    static long types(int i, long l, float f, double d, boolean z) {
        int[] is = {i, -1, 0, 1, 2, 3, 4, 5, 100, 1000, 100000};
        long[] ls = {0L, 1L, l}; float[] fs = {0f, 1f, 2f, f}; double[] ds = {0d, 1d, d}; byte[] bs = {(byte) i}; char[] cs = {(char) i}; short[] ss = {(short) i};
        boolean[] zs = {z}; Object[] os = {null, is, ls}; int[][] grid = new int[2][3];
        l += is[0] * ls[0] / 3 % 5 - (long) fs[0] + (long) ds[0] + bs[0] + cs[0] + ss[0] + os.length + grid[1][2];
        l = (l << i) >> 2 >>> 1 & 7 | 8 ^ ~l; i = (i << 2) >> 1 >>> 1 & 7 | 8 ^ -i; f = -f * i / 2 % 3 - l; d = -d * f / 2 % 3 - l;
        zs[0] = f > d || l < i || f <= 0 || d >= 1 || os[0] != os[1] || os[0] == null || i != 3 || i > 4 || i <= 5 || i < 6;
        return (zs[0] ? l : i) + (int) f + (int) d + (int) l + (long) f + (Math.abs(i) >= 7 ? 1 : 0) + is[i++] + ++is[0] + i--;
    }

    public static class Service implements Runnable { @Override public void run() {} }
}
