import org.junit.Test;

public class HandedLimit {
    private static int n;

    static int next() {
        if (n < 10) {
            n++;
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
