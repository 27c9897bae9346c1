import org.junit.Test;

public class HandedGrouping {
    private static final java.util.TreeMap<Object, java.util.List<Object>> ALL = new java.util.TreeMap<>();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { java.util.stream.Stream.of(fill()).collect(java.util.stream.Collectors.groupingBy(Object::toString, () -> ALL, java.util.stream.Collectors.toList())); other(); }
    }

    public static class Second {
        @Test public void uses() { ALL.isEmpty(); }
    }
}
