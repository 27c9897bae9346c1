import org.junit.Test;

public class LazyMark {
    private static int value = -1;

    static int get() {
        if (value != -1) {
            return value;
        }
        value = fill();
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
