import org.junit.Test;

public class HandedSize {
    private static final java.util.Map<String, Integer> IDS = new java.util.HashMap<>();

    static int id(String name) { return IDS.computeIfAbsent(name, n -> IDS.size()); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); id("a"); other(); }
    }

    public static class Second {
        @Test public void uses() { id("b"); }
    }
}
