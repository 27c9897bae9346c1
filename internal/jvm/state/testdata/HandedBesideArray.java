import org.junit.Test;

public class HandedBesideArray {
    private static final Holder X = new Holder();

    static class Holder {
        private final int[] sizes = new int[1];
        private Object v;

        void set(Object v) { this.v = v; }

        Object get() { return v; }
    }

    static Object pick(Object a, Object b) { return b != null ? b : a; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { ((int[]) pick(X, new int[1]))[0] = 1; X.set(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.get(); }
    }
}
