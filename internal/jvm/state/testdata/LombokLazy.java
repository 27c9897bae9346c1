import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

public class LombokLazy {
    static final LombokLazy MODULE = new LombokLazy();
    private final AtomicReference<Object> value = new AtomicReference<>();

    Object getValue() {
        Object v = this.value.get();
        if (v == null) {
            synchronized (this.value) {
                v = this.value.get();
                if (v == null) {
                    this.value.set(v = fill());
                }
            }
        }
        return v;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { MODULE.getValue(); other(); }
    }

    public static class Second {
        @Test public void uses() { MODULE.getValue(); }
    }
}
