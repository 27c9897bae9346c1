import org.junit.Test;

public class HandedNumber {
    private static final java.util.Map<String, Integer> CACHE = new java.util.HashMap<>();

    static int cached(String key, int value) { Integer old = CACHE.putIfAbsent(key, value); return old == null ? value : old; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { cached("a", fill().hashCode()); other(); }
    }

    public static class Second {
        @Test public void uses() { cached("a", 1); }
    }
}
