import java.util.function.DoubleSupplier;
import org.junit.Test;

public class CapturedInitializer {
    private static final DoubleSupplier VALUE;

    static {
        Object[] kept = new Object[1];
        VALUE = () -> {
            if (kept[0] == null) {
                kept[0] = fill();
            }
            return 1;
        };
    }

    static Object get() { return VALUE.getAsDouble(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
