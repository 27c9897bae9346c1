import org.junit.Test;

public class LazyBoolean {
    private static Boolean available;

    static boolean isAvailable() {
        if (available == null)
            available = fill();
        return available;
    }

    static boolean fill() { return true; }

    static void other() { }

    public static class First {
        @Test public void fills() { isAvailable(); other(); }
    }

    public static class Second {
        @Test public void uses() { isAvailable(); }
    }
}
