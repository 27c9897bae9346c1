import java.util.*;
import org.junit.Test;

public class Subclass {
    /** A cache that asks its subclass. */
    abstract static class Cache<K, V> {
        private final Map<K, V> all = new HashMap<>();

        V get(K key) {
            V v = all.get(key);
            if (v == null) {
                v = load(key);
                all.put(key, v);
            }
            return v;
        }

        abstract V load(K key);
    }

    private static final Cache<String, Object> CACHE = new Cache<String, Object>() {
        @Override Object load(String key) { return fill(); }
    };

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { CACHE.get("k"); other(); }
    }

    public static class Second {
        @Test public void uses() { CACHE.get("k"); }
    }
}
