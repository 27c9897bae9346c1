import org.junit.Test;

public class HandedTwoFillers {
    private static int n;

    static int get() {
        if (n == 0) {
            n = make();
        }
        return n;
    }

    static int make() { return 7; }

    static void add() { n = (n + 1) % 10; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); get(); other(); }
    }

    public static class Second {
        @Test public void uses() { add(); get(); }
    }
}
