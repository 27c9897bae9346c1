import org.junit.Test;

public class HandedClosure {
    private static final java.util.function.UnaryOperator<Object> LAST = last();

    static java.util.function.UnaryOperator<Object> last() {
        Object[] kept = new Object[1];
        return v -> {
            Object before = kept[0];
            kept[0] = v;
            return before;
        };
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { LAST.apply(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { LAST.apply("b"); }
    }
}
