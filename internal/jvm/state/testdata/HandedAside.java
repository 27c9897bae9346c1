import org.junit.Test;

public class HandedAside {
    static int by;
    int n;
    static final HandedAside I = new HandedAside();

    static void bump(HandedAside of, int by) { of.n = by; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { bump(I, fill().hashCode()); other(); }
    }

    public static class Second {
        @Test public void uses() { Object o = I.n; }
    }
}
