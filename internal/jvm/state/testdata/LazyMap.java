import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

public class LazyMap {
    private static Map<String, Object> map;

    static boolean has() {
        if (map == null) {
            map = new HashMap<>();
            map.put("a", fill());
        }
        return map.containsKey("a");
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { has(); other(); }
    }

    public static class Second {
        @Test public void uses() { has(); }
    }
}
