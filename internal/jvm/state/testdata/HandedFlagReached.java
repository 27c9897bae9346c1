import org.junit.Test;

public class HandedFlagReached {
    private static boolean done;
    private static int n;

    static int next() {
        if (!done) {
            n = more();
            done = n > 3;
        }
        return n;
    }

    static int more() { return n + 1; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); next(); next(); next(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
