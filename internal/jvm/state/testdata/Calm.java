import org.junit.Test;

/** Uses no state at all. */
public class Calm {
    static Object get() { return new Object(); }

    public static class First {
        @Test public void fills() { get(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
