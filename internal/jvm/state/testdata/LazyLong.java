import org.junit.Test;

public class LazyLong {
    private static long value = Long.MIN_VALUE;

    static long get() {
        if (value == Long.MIN_VALUE) {
            value = fill();
        }
        return value;
    }

    static long fill() { return 7; }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
