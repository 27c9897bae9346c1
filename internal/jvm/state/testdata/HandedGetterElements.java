import org.junit.Test;

public class HandedGetterElements {
    private static final Box[] F = { new Box() };

    static class Box {
        private final java.util.List<Object> l = new java.util.ArrayList<>();

        java.util.List<Object> getL() { return l; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F[0].getL().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F[0].getL().get(0); }
    }
}
