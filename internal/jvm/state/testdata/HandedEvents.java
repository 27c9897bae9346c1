import org.junit.Test;

public class HandedEvents {
    private static final Listener X = new Listener();

    static class Listener implements java.util.function.Consumer<Object> {
        private final java.util.List<Object> events = new java.util.ArrayList<>();

        public void accept(Object v) { events.add(v); }

        int count() { return events.size(); }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { new Listener(); java.util.Arrays.asList(fill()).forEach(X); other(); }
    }

    public static class Second {
        @Test public void uses() { new Listener(); X.count(); }
    }
}
