import org.junit.Test;

public class HandedGetterSingleton {
    private static Box one;

    static class Box {
        private final java.util.List<Object> l = new java.util.ArrayList<>();

        java.util.List<Object> getL() { return l; }
    }

    static Box one() {
        if (one == null) {
            one = new Box();
        }
        return one;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { one().getL().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { one().getL().get(0); }
    }
}
