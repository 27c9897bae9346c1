import java.util.concurrent.*;
import org.junit.Test;

public class MapCompute {
    private static final ConcurrentMap<String, Object> CACHE = new ConcurrentHashMap<>();

    static Object get(String key) { return CACHE.computeIfAbsent(key, k -> fill()); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get("k"); other(); }
    }

    public static class Second {
        @Test public void uses() { get("k"); }
    }
}
