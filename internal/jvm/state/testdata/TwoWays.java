import org.junit.Test;

public class TwoWays {
    private static Object value;

    static Object one() {
        if (value == null) {
            value = fill();
        }
        return value;
    }

    static Object two() {
        if (value == null) {
            value = "two";
        }
        return value;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { one(); other(); }
    }

    public static class Second {
        @Test public void uses() { two(); }
    }
}
