import org.junit.Test;

public class HandedArray {
    private static final Object[] ALL = new Object[3];

    static void put(int i, Object v) { ALL[i] = v; }

    static Object at(int i) { return ALL[i]; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { put(1, fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { at(1); }
    }
}
