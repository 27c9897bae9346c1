import org.junit.Test;

public class HandedUpdated {
    static class Box {
        private static final java.util.concurrent.atomic.AtomicIntegerFieldUpdater<Box> COUNT =
            java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(Box.class, "count");

        private static final Box BOX = new Box();

        private volatile int count;

        static int next() { return COUNT.incrementAndGet(BOX); }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); Box.next(); other(); }
    }

    public static class Second {
        @Test public void uses() { Box.next(); }
    }
}
