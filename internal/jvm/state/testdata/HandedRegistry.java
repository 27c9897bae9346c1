import org.junit.Test;

public class HandedRegistry {
    /** Keeps what it is given. */
    static class Registry {
        static final Registry I = new Registry();
        private final java.util.Map<String, Object> all = new java.util.HashMap<>();

        void register(String name, Object v) { all.put(name, v); }

        Object find(String name) { return all.get(name); }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { Registry.I.register("k", fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { Registry.I.find("k"); }
    }
}
