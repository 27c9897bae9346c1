import org.junit.Test;

public class HandedCleared {
    private static int value;

    static int get() {
        if (value == 0) {
            value = make();
        }
        return value;
    }

    static int make() { return 7; }

    static boolean clear() {
        if (value != 0) {
            value = 0;
            return true;
        }
        return false;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); get(); other(); }
    }

    public static class Second {
        @Test public void uses() { clear(); get(); }
    }
}
