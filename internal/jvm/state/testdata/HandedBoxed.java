import org.junit.Test;

public class HandedBoxed {
    private static Integer n;

    static Integer next() {
        if (n == null) {
            n = 0;
        }
        n = n + 1;
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
