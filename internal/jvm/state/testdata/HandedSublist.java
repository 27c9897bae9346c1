import org.junit.Test;

public class HandedSublist {
    private static final java.util.List<Object> ALL = new java.util.ArrayList<>(java.util.Arrays.asList(0, 0));
    private static final java.util.List<Object> PART = ALL.subList(0, 1);

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
