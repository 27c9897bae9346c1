import org.junit.Test;

public class HandedEnumField {
    enum Level {
        LOW, HIGH;

        private Object value;

        void set(Object v) { value = v; }

        Object get() { return value; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { Level.LOW.set(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { Level.LOW.get(); }
    }
}
