import org.junit.Test;

public class ScalaLazy {
    static final ScalaLazy MODULE = new ScalaLazy();
    private Object value;
    private volatile boolean bitmap;

    private Object compute() {
        synchronized (this) {
            if (!bitmap) {
                value = fill();
                bitmap = true;
            }
        }
        return value;
    }

    Object value() { return bitmap ? value : compute(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { MODULE.value(); other(); }
    }

    public static class Second {
        @Test public void uses() { MODULE.value(); }
    }
}
