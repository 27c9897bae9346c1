import org.junit.Test;

public class HandedStatic {
    private static Object value;

    static void configure(Object v) { value = v; }

    static Object get() { return value; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { configure(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
