import org.junit.Test;

public class HandedSetterHandle {
    private static Object value;

    static void put(Object v) {
        try {
            java.lang.invoke.MethodHandles.lookup().findStaticSetter(HandedSetterHandle.class, "value", Object.class).invoke(v);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { put(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { java.util.Objects.hashCode(value); }
    }
}
