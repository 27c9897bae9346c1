import org.junit.Test;

public class HandedUnasked {
    private static String value;

    static void init() {
        if (value == null) {
            value = make();
        }
    }

    static String make() { return "seven"; }

    static int length() { return value == null ? 0 : value.length(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); init(); other(); }
    }

    public static class Second {
        @Test public void uses() { length(); }
    }
}
