import org.junit.Test;

public class HandedFlagAsked {
    private static boolean initialized;
    private static int value;

    static int get() {
        if (!initialized) {
            value = make();
            initialized = true;
        }
        return value;
    }

    static int make() { return 7; }

    static boolean initialized() { return initialized; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); get(); other(); }
    }

    public static class Second {
        @Test public void uses() { initialized(); get(); }
    }
}
