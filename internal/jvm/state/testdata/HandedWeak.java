import org.junit.Test;

public class HandedWeak {
    private static final int[] DATA = {0};
    private static final java.lang.ref.WeakReference<int[]> TO = new java.lang.ref.WeakReference<>(DATA);

    static void put(int v) { TO.get()[0] = v; }

    static int get() { return DATA[0]; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { put(fill().hashCode()); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
