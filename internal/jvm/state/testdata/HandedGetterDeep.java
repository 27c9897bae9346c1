import org.junit.Test;

public class HandedGetterDeep {
    private static final Outer F = new Outer();

    static class Outer {
        private final Inner inner = new Inner();

        Inner inner() { return inner; }
    }

    static class Inner {
        private final java.util.List<Object> list = new java.util.ArrayList<>();

        java.util.List<Object> list() { return list; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.inner().list().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.inner().list().get(0); }
    }
}
