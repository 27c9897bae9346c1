import org.junit.Test;

public class LazyDouble {
    private static double value;

    static double get() {
        double v;
        if ((v = value) != 0) {
            return v;
        }
        for (int i = 0; i < 3; i++) {
            v += fill();
        }
        return value = v;
    }

    static double fill() { return 7; }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
