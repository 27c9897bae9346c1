import org.junit.Test;

public class HandedLoaded {
    private static int n;

    static int next() {
        int old = n;
        old++;
        if (old == 1) {
            old = 0;
        }
        if (old == 0) {
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
