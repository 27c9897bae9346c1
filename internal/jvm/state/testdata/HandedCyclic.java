import org.junit.Test;

public class HandedCyclic {
    private static final int MAX = 3;
    private static int next;

    static int next() {
        if (next == MAX) {
            next = 0;
        }
        return next++;
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
