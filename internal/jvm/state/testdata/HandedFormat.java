import org.junit.Test;

public class HandedFormat {
    private static final java.text.DecimalFormat X = new java.text.DecimalFormat();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.setPositivePrefix("" + fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.format(1); }
    }
}
