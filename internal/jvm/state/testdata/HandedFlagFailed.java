import org.junit.Test;

public class HandedFlagFailed {
    private static boolean done;
    private static int n;

    static int next() {
        if (!done) {
            n = n + 1;
            try {
                done = check(n);
            } catch (IllegalStateException e) {
                return n;
            }
            done = true;
        }
        return n;
    }

    static boolean check(int n) { throw new IllegalStateException(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
