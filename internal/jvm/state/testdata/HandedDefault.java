import org.junit.Test;

public class HandedDefault {
    private static final java.util.Map<String, Object> CACHE = new java.util.HashMap<>();

    static Object cached(String key, Object value) { return put(CACHE, key, value); }

    static Object put(java.util.Map<String, Object> to, String key, Object value) {
        to.putIfAbsent(key, value);
        return to.get(key);
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
