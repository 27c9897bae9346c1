import org.junit.Test;

public class HandedWrapped {
    private static final Sink X = new Counting(new Memory());

    static class Counting implements Sink {
        private final Sink to;

        Counting(Sink to) { this.to = to; }

        public void put(Object v) { to.put(v); }

        public Object last() { return to.last(); }
    }

    interface Sink {
        void put(Object v);

        Object last();
    }

    static class Memory implements Sink {
        private Object last;

        public void put(Object v) { last = v; }

        public Object last() { return last; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { new Counting(new Memory()).last(); X.put(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { new Counting(new Memory()).last(); X.last(); }
    }
}
