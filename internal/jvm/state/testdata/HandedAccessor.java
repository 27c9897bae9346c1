import org.junit.Test;

public class HandedAccessor {
    private static final java.util.Map<String, java.util.List<Object>> ALL = new java.util.HashMap<>();

    static java.util.List<Object> of(String k) { return ALL.computeIfAbsent(k, x -> new java.util.ArrayList<>()); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { of("k").add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { of("k").get(0); }
    }
}
