import java.util.*;
import org.junit.Test;

public class MapPut {
    private static final Map<String, Object> CACHE = new HashMap<>();

    static Object get(String key) {
        Object v = CACHE.get(key);
        if (v == null) {
            v = fill();
            CACHE.put(key, v);
        }
        return v;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get("k"); other(); }
    }

    public static class Second {
        @Test public void uses() { get("k"); }
    }
}
