import org.junit.Test;

public class HandedElement {
    private static final java.util.List<java.util.List<Object>> ALL = java.util.List.of(new java.util.ArrayList<>());

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { ALL.get(0).add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { ALL.get(0).get(0); }
    }
}
