import com.google.common.base.*;
import org.junit.Test;

public class GuavaMemo {
    private static final Supplier<Object> VALUE = Suppliers.memoize(() -> fill());

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { VALUE.get(); other(); }
    }

    public static class Second {
        @Test public void uses() { VALUE.get(); }
    }
}
