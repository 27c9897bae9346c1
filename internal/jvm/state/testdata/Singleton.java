import java.util.*;
import org.junit.Test;

public class Singleton {
    private static Singleton instance;
    private final Map<String, Object> cache = new HashMap<>();

    static Singleton get() {
        if (instance == null) {
            instance = new Singleton();
        }
        return instance;
    }

    Object value(String key) {
        if (!cache.containsKey(key)) {
            cache.put(key, fill());
        }
        return cache.get(key);
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get().value("k"); other(); }
    }

    public static class Second {
        @Test public void uses() { get().value("k"); }
    }
}
