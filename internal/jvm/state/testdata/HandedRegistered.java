import org.junit.Test;

public class HandedRegistered {
    private static final java.util.Map<String, Sink> ALL = new java.util.HashMap<>();

    static Sink named(String n) { return ALL.computeIfAbsent(n, x -> new Memory()); }

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
        @Test public void fills() { new Memory().last(); named("a").put(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { new Memory().last(); named("a").last(); }
    }
}
