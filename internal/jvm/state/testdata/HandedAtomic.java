import org.junit.Test;

public class HandedAtomic {
    private static final java.util.List<Object> ALL = new java.util.ArrayList<>();
    private static final java.util.concurrent.atomic.AtomicReference<java.util.List<Object>> TO = new java.util.concurrent.atomic.AtomicReference<>(ALL);

    static void add(Object v) { TO.get().add(v); }

    static Object get() { return ALL.get(0); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
