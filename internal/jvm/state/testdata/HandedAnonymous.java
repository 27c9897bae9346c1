import org.junit.Test;

public class HandedAnonymous {
    private static final java.util.function.Function<Object, Object> KEEPER = new java.util.function.Function<>() {
        private Object kept;

        public Object apply(Object v) {
            Object before = kept;
            kept = v;
            return before;
        }
    };

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { KEEPER.apply(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { KEEPER.apply("b"); }
    }
}
