import org.junit.Test;

public class HandedGetterPassed {
    private static final Box F = new Box();

    static class Box {
        private final java.util.List<Object> l = new java.util.ArrayList<>();

        java.util.List<Object> getL() { return l; }
    }

    static java.util.List<Object> all(Box b) { return b.getL(); }

    static void put(Box b, Object v) { all(b).add(v); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { put(F, fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { all(F).get(0); }
    }
}
