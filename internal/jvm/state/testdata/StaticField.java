import org.junit.Test;

public class StaticField {
    private static Object value;

    static Object get() {
        if (value == null) {
            value = fill();
        }
        return value;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
