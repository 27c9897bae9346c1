import org.junit.Test;

public class ArrayCache {
    private static final Object[] CACHE = new Object[8];

    static Object get(int i) {
        if (CACHE[i] == null) {
            CACHE[i] = fill();
        }
        return CACHE[i];
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(1); other(); }
    }

    public static class Second {
        @Test public void uses() { get(1); }
    }
}
