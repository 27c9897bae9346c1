import org.junit.Test;

public class HandedCopyElement {
    private static final Box[] ALL = {new Box()};

    static class Box {
        private Object v;

        Object get() { return v; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { Box[] copy = ALL.clone(); copy[0].v = fill(); other(); }
    }

    public static class Second {
        @Test public void uses() { ALL[0].get(); }
    }
}
