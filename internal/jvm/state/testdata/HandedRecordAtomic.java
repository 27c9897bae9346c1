import org.junit.Test;

public class HandedRecordAtomic {
    private static final Box F = new Box(new java.util.concurrent.atomic.AtomicInteger());

    record Box(java.util.concurrent.atomic.AtomicInteger n) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.n().set(fill().hashCode()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.n().get(); }
    }
}
