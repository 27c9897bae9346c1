import org.junit.Test;

public class HandedElementCounter {
    private static final int[] LAST = new int[1];

    static int next() { return ++LAST[0]; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
