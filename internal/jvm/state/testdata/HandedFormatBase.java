import org.junit.Test;

public class HandedFormatBase {
    private static final java.text.NumberFormat X = java.text.NumberFormat.getInstance();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.setMinimumFractionDigits(fill().hashCode() & 3); other(); }
    }

    public static class Second {
        @Test public void uses() { X.format(1); }
    }
}
