import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

public class Reference {
    private static final AtomicReference<Object> VALUE = new AtomicReference<>();

    static Object get() {
        Object v = VALUE.get();
        if (v == null) {
            VALUE.compareAndSet(null, fill());
        }
        return VALUE.get();
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
