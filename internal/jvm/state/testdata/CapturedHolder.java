import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

public class CapturedHolder {
    private static final Make VALUE = memo(CapturedHolder::fill);

    interface Make { Object make(); }

    static Make memo(Make from) {
        AtomicReference<Object> kept = new AtomicReference<>();
        return () -> {
            if (kept.get() == null) {
                kept.set(from.make());
            }
            return kept.get();
        };
    }

    static Object get() { return VALUE.make(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
