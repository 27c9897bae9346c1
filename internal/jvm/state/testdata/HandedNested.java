import org.junit.Test;

public class HandedNested {
    private static final Outer X = new Outer();

    static class Outer {
        private final Sink inner = new Memory();

        Sink inner() { return inner; }
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
        @Test public void fills() { new Memory().last(); new Outer(); X.inner().put(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { new Memory().last(); new Outer(); X.inner().last(); }
    }
}
