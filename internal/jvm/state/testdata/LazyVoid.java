import org.junit.Test;

public class LazyVoid {
    private static String value;

    static void init() {
        if (value == null) {
            value = fill();
        }
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
