import org.junit.Test;

public class HandedUpdater {
    private static final java.util.concurrent.atomic.AtomicReferenceFieldUpdater<Box, Object> VALUE =
        java.util.concurrent.atomic.AtomicReferenceFieldUpdater.newUpdater(Box.class, Object.class, "value");

    private static final Box BOX = new Box();

    static class Box {
        volatile Object value;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { VALUE.set(BOX, fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { java.util.Objects.hashCode(BOX.value); }
    }
}
