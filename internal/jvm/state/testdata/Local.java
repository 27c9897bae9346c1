import org.junit.Test;

public class Local {
    private static final ThreadLocal<Object> VALUE = ThreadLocal.withInitial(() -> fill());

    static Object get() { return VALUE.get(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
