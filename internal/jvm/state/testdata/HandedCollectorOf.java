import org.junit.Test;

public class HandedCollectorOf {
    private static final java.util.List<Object> ALL = new java.util.ArrayList<>();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { java.util.stream.Stream.of(fill()).collect(java.util.stream.Collector.of(() -> ALL, (a, b) -> a.add(b), (a, b) -> a)); other(); }
    }

    public static class Second {
        @Test public void uses() { ALL.isEmpty(); }
    }
}
