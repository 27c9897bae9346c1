import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

public class HandedLazyMap {
    private static Map<String, Integer> map;

    static int next() {
        if (map == null) {
            map = new HashMap<>();
        }
        map.put(map.toString(), 1);
        return 1;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
