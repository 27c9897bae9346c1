import org.junit.Test;

public class HandedAddAll {
    private static final java.util.List<Object> ALL = new java.util.ArrayList<>();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { java.util.Collections.addAll(ALL, fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { ALL.isEmpty(); }
    }
}
