import java.util.function.Supplier;
import org.junit.Test;

public class Memo {
    private static final Supplier<Object> VALUE = new Memoized<>(Memo::fill);

    static Object fill() { return new Object(); }

    static class Memoized<T> implements Supplier<T> {
        private final Supplier<T> from;
        private T value;
        private boolean known;

        Memoized(Supplier<T> from) { this.from = from; }

        @Override public T get() {
            if (!known) {
                value = from.get();
                known = true;
            }
            return value;
        }
    }

    static void other() { }

    public static class First {
        @Test public void fills() { VALUE.get(); other(); }
    }

    public static class Second {
        @Test public void uses() { VALUE.get(); }
    }
}
