import kotlin.*;
import org.junit.Test;

public class KotlinLazy {
    private static final Lazy<Object> VALUE = LazyKt.lazy(() -> fill());

    static Object get() { return VALUE.getValue(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
