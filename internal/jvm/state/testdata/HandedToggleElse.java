import org.junit.Test;

public class HandedToggleElse {
    private static int n;

    static int next() {
        if (n == 0) {
            n = 1;
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
