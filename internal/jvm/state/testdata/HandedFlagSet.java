import org.junit.Test;

public class HandedFlagSet {
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

    static void set(int v) { value = v; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); get(); other(); }
    }

    public static class Second {
        @Test public void uses() { set(5); get(); }
    }
}
