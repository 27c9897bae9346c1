import org.junit.Test;

public class HandedAdvHandle {
    static class Box {
        static final java.lang.invoke.VarHandle VALUE;

        static {
            try {
                VALUE = java.lang.invoke.MethodHandles.lookup().findVarHandle(Box.class, "value", Object.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        Object value;

        Object value() { return value; }
    }

    private static final Box BOX = new Box();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { new Box().value(); Box.VALUE.compareAndSet(BOX, null, fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { new Box().value(); BOX.value(); }
    }
}
