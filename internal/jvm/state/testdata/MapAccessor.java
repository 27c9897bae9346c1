import java.util.*;
import org.junit.Test;

public class MapAccessor {
    private static final Map<String, Object> CACHE = new HashMap<>();

    static Map<String, Object> cache() { return CACHE; }

    static Object fill() { return new Object(); }

    /** Uses the map of another class. */
    static class User {
        static Object get(String key) {
            Map<String, Object> m = cache();
            Object v = m.get(key);
            if (v == null) {
                m.put(key, v = fill());
            }
            return v;
        }
    }

    static void other() { }

    public static class First {
        @Test public void fills() { User.get("k"); other(); }
    }

    public static class Second {
        @Test public void uses() { User.get("k"); }
    }
}
