import org.junit.Test;

public class LazyLocal {
    private static int hash;

    static int get() {
        int h = hash;
        if (h == 0) {
            hash = h = fill();
        }
        return h;
    }

    static int fill() { return 7; }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
