import org.junit.Test;

public class EnumSingleton {
    enum Holder {
        INSTANCE;

        private Object value;

        Object get() {
            if (value == null) {
                value = fill();
            }
            return value;
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { Holder.INSTANCE.get(); other(); }
    }

    public static class Second {
        @Test public void uses() { Holder.INSTANCE.get(); }
    }
}
