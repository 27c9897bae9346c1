import org.junit.Test;

public class HandedToggleMade {
    private static int n;

    static int one() { return 1; }

    static int next() {
        if (n == 0) {
            n = one();
        } else {
            n = 0;
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
