import org.junit.Test;

public class HandedFlagCleared {
    private static boolean done;
    private static int n;

    static int next() {
        if (!done) {
            n = n + 1;
            done = true;
        }
        return n;
    }

    static void clear() { done = false; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { clear(); next(); }
    }
}
