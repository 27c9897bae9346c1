import org.junit.Test;

public class LazyFlagOff {
    private static boolean needed = true;
    private static int value;

    static int get() {
        if (needed) {
            synchronized (LazyFlagOff.class) {
                if (needed) {
                    value = fill();
                    needed = false;
                }
            }
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
