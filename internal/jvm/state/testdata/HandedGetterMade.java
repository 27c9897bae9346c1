import org.junit.Test;

public class HandedGetterMade {
    private static final Box F = new Box(4);

    static class Box {
        private final java.util.List<Object> l;

        Box(int size) { l = new java.util.ArrayList<>(size); }

        java.util.List<Object> getL() { return l; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.getL().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.getL().get(0); }
    }
}
