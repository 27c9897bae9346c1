import org.junit.Test;

public class HandedReplaced {
    static class Special extends java.io.PrintStream {
        private final Object of;

        Special(Object of) {
            super(new java.io.ByteArrayOutputStream());
            this.of = of;
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { System.setOut(new Special(fill())); other(); }
    }

    public static class Second {
        @Test public void uses() { if (System.out instanceof Special) { ((Special) System.out).of.hashCode(); } }
    }
}
