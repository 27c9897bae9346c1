import org.junit.Test;

public class HandedCapture {
    private static final Capture X = new Capture();

    static class Capture extends java.io.PrintStream {
        private Object seen;

        Capture() { super(new java.io.ByteArrayOutputStream()); }

        @Override public void println(Object v) { seen = v; }

        Object seen() { return seen; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { new Capture(); java.io.PrintStream p = System.out; System.setOut(X); System.out.println(fill()); System.setOut(p); other(); }
    }

    public static class Second {
        @Test public void uses() { new Capture(); X.seen(); }
    }
}
