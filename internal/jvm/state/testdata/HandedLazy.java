import org.junit.Test;

public class HandedLazy {
    /** Made by the first who asks. */
    static class Lazy {
        private static Lazy instance;
        private Object name;

        static Lazy get() {
            if (instance == null) {
                instance = new Lazy();
            }
            return instance;
        }

        void setName(Object v) { name = v; }

        Object name() { return name; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { Lazy.get().setName(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { Lazy.get().name(); }
    }
}
