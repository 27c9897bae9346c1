import org.junit.Test;

public class HandedCache {
    private static final java.util.Map<String, Object> CACHE = new java.util.HashMap<>();

    static Object cached(String key, Object value) {
        if (!CACHE.containsKey(key)) {
            CACHE.put(key, value);
        }
        return CACHE.get(key);
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { cached("a", fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { cached("a", "b"); }
    }
}
