import org.junit.Test;

public class Chain {
    private static Object lower;
    private static Object upper;

    static Object lower() {
        if (lower == null) {
            lower = fill();
        }
        return lower;
    }

    static Object upper() {
        if (upper == null) {
            upper = lower().toString();
        }
        return upper;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { upper(); other(); }
    }

    public static class Second {
        @Test public void uses() { upper(); }
    }
}
