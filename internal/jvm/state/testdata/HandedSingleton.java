import org.junit.Test;

public class HandedSingleton {
    /** There is one. */
    static class One {
        static final One I = new One();
        private Object name;

        void setName(Object v) { name = v; }

        Object name() { return name; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { One.I.setName(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { One.I.name(); }
    }
}
