import org.junit.Test;

public class HandedCopyKept {
    private static Object[] all = new Object[0];

    static void add(Object v) {
        Object[] more = java.util.Arrays.copyOf(all, all.length + 1);
        more[all.length] = v;
        all = more;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { all[all.length - 1].hashCode(); }
    }
}
