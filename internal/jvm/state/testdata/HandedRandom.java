import org.junit.Test;

public class HandedRandom {
    private static final java.util.Random RANDOM = new java.util.Random(1);

    static int roll() { return RANDOM.nextInt(6); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); roll(); other(); }
    }

    public static class Second {
        @Test public void uses() { roll(); }
    }
}
