import org.junit.Test;

public class HandedGetterStatic {
    private static final Box F = new Box();

    static class Box {
        private final java.util.List<Object> l = new java.util.ArrayList<>();

        java.util.List<Object> getL() { return l; }
    }

    static java.util.List<Object> all() { return F.getL(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { all().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { all().get(0); }
    }
}
