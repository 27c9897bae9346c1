import org.junit.Test;

public class HandedParameter {
    private static final int[] DATA = new int[1];

    static void a(int[] to, int v) { b(to, v); }

    static void b(int[] to, int v) { c(to, v); }

    static void c(int[] to, int v) { to[0] = v; }

    static void set(int v) { a(DATA, v); }

    static int get() { return DATA[0]; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { set(fill().hashCode()); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
