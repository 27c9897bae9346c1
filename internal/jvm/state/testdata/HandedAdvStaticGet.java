import org.junit.Test;

public class HandedAdvStaticGet {
    private static final Sink X = new Memory();

    static Sink sink() { return X; }

    static void send(Sink to, Object v) { to.put(v); }

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
        @Test public void fills() { new Memory().last(); send(sink(), fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { new Memory().last(); sink().last(); }
    }
}
