import org.junit.Test;

public class HandedList {
    private static final Object[] DATA = {1, 2};

    static java.util.List<Object> list() { return java.util.Arrays.asList(DATA); }

    static Object get() { return DATA[0]; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { list().set(0, fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
