import org.junit.Test;

public class HandedWrapper {
    private static final java.io.ByteArrayOutputStream BYTES = new java.io.ByteArrayOutputStream();
    private static final java.io.PrintStream OUT = new java.io.PrintStream(BYTES);

    static void print(Object v) { OUT.print(v); }

    static String printed() { return BYTES.toString(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { print(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { printed(); }
    }
}
