import org.junit.Test;

public class HandedOutput {
    private static final java.io.ByteArrayOutputStream BYTES = new java.io.ByteArrayOutputStream();
    private static final java.io.PrintStream BEFORE = System.out;

    static void install() { System.setOut(new java.io.PrintStream(BYTES, true)); }

    static void print() { System.out.print(fill()); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { install(); print(); System.setOut(BEFORE); other(); }
    }

    public static class Second {
        @Test public void uses() { BYTES.toString(); }
    }
}
