import org.junit.Test;

public class HandedAdvMany {
    private static int[] counts = new int[4];

    private static final java.util.List<Memory> ALL = java.util.List.of(new Memory(), new Memory());

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
        @Test public void fills() { new Memory().last(); ALL.forEach(m -> m.put(fill())); other(); }
    }

    public static class Second {
        @Test public void uses() { new Memory().last(); ALL.get(1).last(); }
    }
}
