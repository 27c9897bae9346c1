import org.junit.Test;

public class HandedAdvHolder {
    static class Holder {
        static final Memory X = new Memory();

        static Memory get() { return X; }
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
        @Test public void fills() { new Memory().last(); Memory m = Holder.get(); Runnable r = () -> m.put(fill()); r.run(); other(); }
    }

    public static class Second {
        @Test public void uses() { new Memory().last(); Holder.get().last(); }
    }
}
