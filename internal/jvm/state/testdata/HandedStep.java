import org.junit.Test;

public class HandedStep {
    private static final java.util.concurrent.atomic.AtomicInteger COUNT = new java.util.concurrent.atomic.AtomicInteger();

    static int next() { return next(COUNT); }

    static int next(java.util.concurrent.atomic.AtomicInteger of) { return of.incrementAndGet(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
