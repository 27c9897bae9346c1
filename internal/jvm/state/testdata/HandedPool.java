import org.junit.Test;

public class HandedPool {
    private static final java.util.List<Object> POOL = new java.util.ArrayList<>(java.util.Arrays.asList(1, 2, 3));

    static Object take() { return POOL.remove(0); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); take(); other(); }
    }

    public static class Second {
        @Test public void uses() { take(); }
    }
}
