import org.junit.Test;

public class HandedTwice {
    private static final Both BOTH = new Both();

    static class Both {
        private final java.util.List<Object> all = new java.util.ArrayList<>();
        private final java.util.List<Object> view = all;

        void add(Object v) { view.add(v); }

        int count() { return all.size(); }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { BOTH.add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { BOTH.count(); }
    }
}
