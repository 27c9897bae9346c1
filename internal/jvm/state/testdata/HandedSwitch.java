import org.junit.Test;

public class HandedSwitch {
    private static boolean on;

    static void enable() { on = true; }

    static boolean on() { return on; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() {
            if (fill() != null) {
                enable();
            }
            other();
        }
    }

    public static class Second {
        @Test public void uses() {
            if (!on()) {
                throw new AssertionError();
            }
        }
    }
}
