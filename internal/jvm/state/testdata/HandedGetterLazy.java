import org.junit.Test;

public class HandedGetterLazy {
    private static final Box F = new Box();

    static class Box {
        private java.util.List<Object> l;

        java.util.List<Object> getL() {
            if (l == null) {
                l = new java.util.ArrayList<>();
            }
            return l;
        }
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
