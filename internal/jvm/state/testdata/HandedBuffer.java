import org.junit.Test;

public class HandedBuffer {
    private static final int[] DATA = {1, 2};
    private static final java.nio.IntBuffer AROUND = java.nio.IntBuffer.wrap(DATA);

    static void put(int v) { AROUND.put(0, v); }

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
