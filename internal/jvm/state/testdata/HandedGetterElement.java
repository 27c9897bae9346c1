import org.junit.Test;

public class HandedGetterElement {
    private static final Box F = new Box();

    static class Box {
        private final java.util.List<StringBuilder> l = java.util.List.of(new StringBuilder());

        StringBuilder first() { return l.get(0); }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.first().append(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.first().toString(); }
    }
}
