import org.junit.Test;

public class HandedVarHandle {
    private static final java.lang.invoke.VarHandle VALUE;

    private static Object value;

    static {
        try {
            VALUE = java.lang.invoke.MethodHandles.lookup().findStaticVarHandle(HandedVarHandle.class, "value", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static void put(Object v) { VALUE.set(v); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { put(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { java.util.Objects.hashCode(value); }
    }
}
