import org.junit.Test;

public class HandedStreamBuilder {
    private static final java.util.stream.Stream.Builder<Object> X = java.util.stream.Stream.builder();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.build().toArray(); }
    }
}
