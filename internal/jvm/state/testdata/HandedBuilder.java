import org.junit.Test;

public class HandedBuilder {
    private static final StringBuilder TEXT = new StringBuilder();

    static void add(Object v) { TEXT.append(v); }

    static String text() { return TEXT.toString(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { text(); }
    }
}
