import org.junit.Test;

public class HandedText {
    private static final java.util.Map<String, String> CACHE = new java.util.HashMap<>();

    static String cached(String key, String value) { return CACHE.computeIfAbsent(key, k -> value); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { cached("a", fill().toString()); other(); }
    }

    public static class Second {
        @Test public void uses() { cached("a", "b"); }
    }
}
