import org.junit.Test;

public class LazyInt {
    private static int value;

    static int get() {
        if (value == 0) {
            value = fill();
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
