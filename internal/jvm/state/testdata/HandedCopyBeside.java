import org.junit.Test;

public class HandedCopyBeside {
    private static final Names X = new Names();

    static class Names {
        private final Object[] all = new Object[1];

        Object[] replace(Object v) {
            Object[] before = java.util.Arrays.copyOf(all, 1);
            before[0] = "before";
            all[0] = v;
            return before;
        }

        Object first() { return all[0]; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.replace(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.first(); }
    }
}
