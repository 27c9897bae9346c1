import org.junit.Test;

public class HandedSizeList {
    private static final java.util.List<String> NAMES = new java.util.ArrayList<>();

    static int id(String name) {
        int at = NAMES.indexOf(name);
        if (at < 0) {
            at = NAMES.size();
            NAMES.add(name);
        }
        return at;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); id("a"); other(); }
    }

    public static class Second {
        @Test public void uses() { id("b"); }
    }
}
