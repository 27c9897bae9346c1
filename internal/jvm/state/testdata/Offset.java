import java.lang.reflect.Field;
import org.junit.Test;
import sun.misc.Unsafe;

// As Scala 3 makes lazy values.
public class Offset {
    private static final Unsafe UNSAFE;
    private static final long PLACE;
    private static final Offset ONLY = new Offset();

    private volatile Object value;

    static {
        try {
            Field f = Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            UNSAFE = (Unsafe) f.get(null);
            PLACE = UNSAFE.objectFieldOffset(Offset.class.getDeclaredField("value"));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    Object get() { return value != null ? value : make(); }

    private Object make() {
        while (value == null) {
            UNSAFE.compareAndSwapObject(this, PLACE, null, fill());
        }
        return value;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { ONLY.get(); other(); }
    }

    public static class Second {
        @Test public void uses() { ONLY.get(); }
    }
}
