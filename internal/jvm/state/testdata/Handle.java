import java.lang.invoke.*;
import org.junit.Test;

public class Handle {
    private static Object value;
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findStaticVarHandle(Handle.class, "value", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static Object get() {
        if (VALUE.getAcquire() == null) {
            VALUE.compareAndSet((Object) null, fill());
        }
        return VALUE.getAcquire();
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
