import org.junit.Test;

public class HandedThread {
    private static final ThreadLocal<java.util.List<Object>> LOCAL = ThreadLocal.withInitial(java.util.ArrayList::new);

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { LOCAL.get().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { LOCAL.get().get(0); }
    }
}
