import org.junit.Test;

public class HandedOnOff {
    private static int n;

    static int on() {
        if (n == 0) {
            n = one();
        }
        return n;
    }

    static int off() {
        if (n == 1) {
            n = zero();
        }
        return n;
    }

    static int one() { return 1; }

    static int zero() { return 0; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); off(); on(); other(); }
    }

    public static class Second {
        @Test public void uses() { off(); }
    }
}
