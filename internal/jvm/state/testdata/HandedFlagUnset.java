import org.junit.Test;

public class HandedFlagUnset {
    private static boolean off;
    private static int n;

    static int next() {
        if (!off) {
            n = n + 1;
        }
        return n;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
