import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.Test;

public class CapturedMap {
    private static final Find VALUE = memo(key -> fill());

    interface Find { Object find(String key); }

    static Find memo(Function<String, Object> from) {
        Map<String, Object> kept = new HashMap<>();
        return key -> kept.computeIfAbsent(key, from);
    }

    static Object get() { return VALUE.find("key"); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
