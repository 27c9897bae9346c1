import org.junit.Test;

public class HandedToggle {
    private static int n;

    static int next() {
        n = n == 0 ? 1 : 0;
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
