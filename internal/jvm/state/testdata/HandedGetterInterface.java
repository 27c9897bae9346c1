import org.junit.Test;

public class HandedGetterInterface {
    interface Source { java.util.List<Object> all(); }

    private static final Source F = new Box();

    static class Box implements Source {
        private final java.util.List<Object> l = new java.util.ArrayList<>();

        public java.util.List<Object> all() { return l; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.all().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.all().get(0); }
    }
}
