import org.junit.Test;

public class HandedSizePut {
    private static final java.util.Map<String, Integer> IDS = new java.util.HashMap<>();

    static int id(String name) {
        Integer id = IDS.get(name);
        if (id == null) {
            id = next(IDS);
            IDS.put(name, id);
        }
        return id;
    }

    static int next(java.util.Map<?, ?> m) { return m.size() + 1; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); id("a"); other(); }
    }

    public static class Second {
        @Test public void uses() { id("b"); }
    }
}
