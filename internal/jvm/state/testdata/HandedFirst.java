import org.junit.Test;

public class HandedFirst {
    private static String first;

    static String first(String value) {
        if (first == null) {
            first = value;
        }
        return first;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { first(fill().toString()); other(); }
    }

    public static class Second {
        @Test public void uses() { first("b"); }
    }
}
