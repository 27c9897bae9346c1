import org.junit.Test;

public class LazyFlagEarly {
    private static boolean initialized;
    private static String value;

    static synchronized void init() {
        if (initialized) {
            return;
        }
        try {
            value = fill();
        } catch (IllegalStateException e) {
            value = null;
        }
        initialized = true;
        check(value);
    }

    static void check(String text) { }

    static String fill() { return "seven"; }

    static void other() { }

    public static class First {
        @Test public void fills() { init(); other(); }
    }

    public static class Second {
        @Test public void uses() { init(); }
    }
}
