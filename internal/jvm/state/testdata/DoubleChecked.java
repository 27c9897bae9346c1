import org.junit.Test;

public class DoubleChecked {
    private static volatile Object value;

    static Object get() {
        Object v = value;
        if (v == null) {
            synchronized (DoubleChecked.class) {
                v = value;
                if (v == null) {
                    value = v = fill();
                }
            }
        }
        return v;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
