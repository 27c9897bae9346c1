import org.junit.Test;

public class HandedDomInside {
    private static final Box F = new Box();

    static class Box {
        private final org.xml.sax.InputSource in = new org.xml.sax.InputSource();

        org.xml.sax.InputSource in() { return in; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.in().setSystemId("" + fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.in().getSystemId(); }
    }
}
