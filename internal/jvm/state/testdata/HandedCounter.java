import org.junit.Test;

public class HandedCounter {
    private static long last;

    static long next() { return ++last; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
