import org.junit.Test;

public class HandedFlagThrown {
    private static boolean done;
    private static int n;

    static int next() {
        if (!done) {
            n = n + 1;
            check(n);
            done = true;
        }
        return n;
    }

    static void check(int n) {
        if (n < 3) {
            throw new IllegalStateException();
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); try { next(); } catch (IllegalStateException e) { other(); } }
    }

    public static class Second {
        @Test public void uses() { try { next(); } catch (IllegalStateException e) { } }
    }
}
