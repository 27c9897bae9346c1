import org.junit.Test;

public class HandedAdvOptional {
    private static final java.util.Map<String, Object> ALL = new java.util.concurrent.ConcurrentHashMap<>();

    static Object cached(String k, Object v) { return java.util.Optional.ofNullable(ALL.putIfAbsent(k, v)).orElse(v); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { cached("a", fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { cached("a", "b"); }
    }
}
