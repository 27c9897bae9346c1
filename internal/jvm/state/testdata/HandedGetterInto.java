import org.junit.Test;

public class HandedGetterInto {
    private static final Box F = new Box();

    static class Box {
        private final java.util.List<Object> l = new java.util.ArrayList<>();

        java.util.List<Object> getL() { return l; }
    }

    static void into(java.util.Collection<Object> to, Object v) { to.add(v); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { into(F.getL(), fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.getL().get(0); }
    }
}
