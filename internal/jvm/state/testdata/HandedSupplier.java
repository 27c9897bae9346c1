import java.util.function.Supplier;
import org.junit.Test;

public class HandedSupplier {
    private static final java.util.Map<String, Object> ALL = new java.util.HashMap<>();

    static Object get(String k, Supplier<Object> s) {
        Object o = ALL.get(k);
        if (o == null) {
            o = s.get();
            ALL.put(k, o);
        }
        return o;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get("k", HandedSupplier::fill); other(); }
    }

    public static class Second {
        @Test public void uses() { get("k", () -> null); }
    }
}
