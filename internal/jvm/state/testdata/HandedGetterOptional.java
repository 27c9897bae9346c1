import org.junit.Test;

public class HandedGetterOptional {
    private static final Box F = new Box();

    static class Box {
        private final java.util.List<Object> l = new java.util.ArrayList<>();

        java.util.Optional<java.util.List<Object>> getL() { return java.util.Optional.of(l); }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.getL().get().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.getL().get().get(0); }
    }
}
