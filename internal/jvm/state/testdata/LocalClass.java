import org.junit.Test;

public class LocalClass {
    private static final ThreadLocal<Object> VALUE = new ThreadLocal<Object>() {
        @Override protected Object initialValue() { return fill(); }
    };

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
