import org.junit.Test;

public class HandedAdvThread {
    private static final Memory X = new Memory();

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
        @Test public void fills() { new Memory().last(); Thread t = new Thread(() -> X.put(fill())); t.start(); try { t.join(); } catch (InterruptedException e) { throw new AssertionError(e); } other(); }
    }

    public static class Second {
        @Test public void uses() { new Memory().last(); X.last(); }
    }
}
