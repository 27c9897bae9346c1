import org.junit.Test;

public class HandedBehind {
    private static int value;

    static int next() {
        if (value == 0) {
            make();
        }
        value = value + 1;
        return value;
    }

    static int make() { return 7; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
