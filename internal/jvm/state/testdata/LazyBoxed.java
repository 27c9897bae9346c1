import org.junit.Test;

public class LazyBoxed {
    private static Integer value;

    static Integer get() {
        if (value == null) {
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
