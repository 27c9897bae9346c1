import org.junit.Test;

public class CalmCopy {
    private static final Names EMPTY = new Names(new Object[0]);

    static class Names {
        private final Object[] all;

        Names(Object[] all) { this.all = all; }

        Names with(Object v) {
            Object[] more = java.util.Arrays.copyOf(all, all.length + 1);
            more[all.length] = v;
            return new Names(more);
        }

        int count() { return all.length; }
    }

    static Object fill() { return new Object(); }

    public static class First {
        @Test public void fills() { EMPTY.with(fill()).count(); }
    }

    public static class Second {
        @Test public void uses() { EMPTY.count(); }
    }
}
