import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.Test;

public class MapFunction {
    private static final Keeper VALUE = new Keeper(key -> fill());

    static class Keeper {
        private final Map<String, Object> kept = new HashMap<>();
        private final Function<String, Object> from;

        Keeper(Function<String, Object> from) { this.from = from; }

        Object find(String key) { return kept.computeIfAbsent(key, from); }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { VALUE.find("key"); other(); }
    }

    public static class Second {
        @Test public void uses() { VALUE.find("key"); }
    }
}
