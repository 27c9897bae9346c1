import org.junit.Test;

public class Setter {
    /** Holds one value. */
    static class Settings {
        private static Object value;

        static Object value() { return value; }

        static void setValue(Object v) { value = v; }
    }

    static Object get() {
        if (Settings.value() == null) {
            Settings.setValue(fill());
        }
        return Settings.value();
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
