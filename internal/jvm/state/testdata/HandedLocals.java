import org.junit.Test;

public class HandedLocals {
    private static final java.util.List<Object> ALL;
    private static final java.util.List<Object> PART;

    static {
        java.util.List<Object> all = new java.util.ArrayList<>(java.util.Arrays.asList(0, 0));
        ALL = all;
        PART = all.subList(0, 1);
    }

    static void set(Object v) { PART.set(0, v); }

    static Object get() { return ALL.get(0); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { set(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
