import org.junit.Test;

public class HandedGivenBack {
    private static final java.util.Deque<Object> POOL = new java.util.ArrayDeque<>();

    static Object exchange(Object old) {
        Object next = POOL.isEmpty() ? new Object() : POOL.peek();
        POOL.add(old);
        return next;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { exchange(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { exchange("b"); }
    }
}
