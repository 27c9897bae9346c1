import org.junit.Test;

public class LazyFlag {
    private static boolean initialized;
    private static int value;

    static int get() {
        if (!initialized) {
            value = fill();
            initialized = true;
        }
        return value;
    }

    static int fill() { return 7; }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
