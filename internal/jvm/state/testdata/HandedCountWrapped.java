import org.junit.Test;

/** A counter behind a method that both tests call. */
public class HandedCountWrapped {
    private static long last;

    static long next() { return ++last; }

    static long wrapped() { return next(); }

    static void fill() { }

    public static class First {
        @Test public void fills() {
            fill();
            wrapped();
        }
    }

    public static class Second {
        @Test public void uses() { wrapped(); }
    }
}
