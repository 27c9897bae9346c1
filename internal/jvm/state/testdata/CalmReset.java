import org.junit.After;
import org.junit.Test;

public class CalmReset {
    private static final Holder X = new Holder();

    static class Holder {
        private Object v;
        private int n;

        void set(Object v) { this.v = v; n++; }

        void reset() { v = null; n = 0; }

        Object get() { return n > 0 ? v : null; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.set(fill()); X.get(); other(); }
        @After public void reset() { X.reset(); }
    }

    public static class Second {
        @Test public void uses() { other(); }
        @After public void reset() { X.reset(); }
    }
}
