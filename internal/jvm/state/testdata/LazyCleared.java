import org.junit.Test;

public class LazyCleared {
    private static int value;

    static int get() {
        if (value == 0) {
            value = fill();
        }
        return value;
    }

    static void clear() {
        if (value != 0) {
            value = 0;
        }
    }

    static int fill() { return 7; }

    static void other() { }

    public static class First {
        @Test public void fills() { clear(); get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
