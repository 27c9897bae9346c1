import org.junit.Test;

public class HandedStale {
    private static int value;

    static int next() {
        int v = value;
        if (v == 0 || v == 7) {
            value = v + 7;
        }
        return v;
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
