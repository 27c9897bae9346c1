import java.util.function.BooleanSupplier;
import org.junit.Test;

public class CapturedArray {
    private static final BooleanSupplier VALUE = memo();

    static BooleanSupplier memo() {
        Object[] kept = new Object[1];
        return () -> {
            if (kept[0] == null) {
                kept[0] = fill();
            }
            return true;
        };
    }

    static Object get() { return VALUE.getAsBoolean(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
