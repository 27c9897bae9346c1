import org.junit.Test;

public class HandedAdvArrayField {
    static class Ring {
        private final Object[] all = new Object[4];
        private int at;

        void add(Object v) { all[at++ % 4] = v; }

        Object first() { return all[0]; }
    }

    private static final Ring X = new Ring();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { new Ring().first(); X.add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { new Ring().first(); X.first(); }
    }
}
