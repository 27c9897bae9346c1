import org.junit.Test;

public class HandedGetterFunction {
    private static final Box F = new Box();

    static class Box {
        private final java.util.List<Object> l = new java.util.ArrayList<>();

        java.util.List<Object> getL() { return l; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { java.util.stream.Stream.of(fill()).forEach(F.getL()::add); other(); }
    }

    public static class Second {
        @Test public void uses() { F.getL().get(0); }
    }
}
