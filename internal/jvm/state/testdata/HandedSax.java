import org.junit.Test;

public class HandedSax {
    private static final org.xml.sax.helpers.AttributesImpl X = new org.xml.sax.helpers.AttributesImpl();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.addAttribute("", "a", "a", "CDATA", "" + fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.getValue(0); }
    }
}
