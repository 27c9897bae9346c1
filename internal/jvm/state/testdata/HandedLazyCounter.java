import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

public class HandedLazyCounter {
    private static AtomicInteger n;

    static int next() {
        if (n == null) {
            n = new AtomicInteger();
        }
        return n.getAndIncrement();
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
