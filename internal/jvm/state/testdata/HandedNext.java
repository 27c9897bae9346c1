import org.junit.Test;

public class HandedNext {
    private static final java.util.concurrent.atomic.AtomicLong LAST = new java.util.concurrent.atomic.AtomicLong();

    static long next() { return LAST.incrementAndGet(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
