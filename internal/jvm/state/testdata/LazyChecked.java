import org.junit.Test;

public class LazyChecked {
    private static volatile int value;

    static int get() {
        int v = value;
        if (v == 0) {
            synchronized (LazyChecked.class) {
                v = value;
                if (v == 0) {
                    value = v = fill();
                }
            }
        }
        return v;
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
