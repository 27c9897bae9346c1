import org.junit.Test;

public class HandedIterated {
    private static final java.util.List<Object> ALL = new java.util.ArrayList<>();

    static java.util.function.Consumer<Object> sink() { return ALL::add; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { sink().accept(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { ALL.isEmpty(); }
    }
}
