import org.junit.Test;

public class HandedBuilt {
    private static final java.util.Map<String, Plugin> PLUGINS = new java.util.concurrent.ConcurrentHashMap<>();

    static class Plugin {
        private final java.util.Map<String, Object> options = new java.util.HashMap<>();

        Plugin with(String k, Object v) {
            options.put(k, v);
            return this;
        }

        Object option(String k) { return options.get(k); }
    }

    static Plugin plugin(String n) { return PLUGINS.computeIfAbsent(n, x -> new Plugin()); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { new Plugin().with("a", 1); plugin("p").with("k", fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { new Plugin().with("a", 1); plugin("p").option("k"); }
    }
}
