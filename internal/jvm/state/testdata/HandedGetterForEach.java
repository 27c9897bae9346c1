import org.junit.Test;

public class HandedGetterForEach {
    private static final Box F = new Box();

    static class Box {
        private final java.util.List<StringBuilder> l = java.util.List.of(new StringBuilder());

        java.util.List<StringBuilder> getL() { return l; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.getL().forEach(b -> b.append(fill())); other(); }
    }

    public static class Second {
        @Test public void uses() { F.getL().get(0).toString(); }
    }
}
