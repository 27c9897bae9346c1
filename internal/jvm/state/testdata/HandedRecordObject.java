import org.junit.Test;

public class HandedRecordObject {
    private static final Box F = new Box(new java.util.ArrayList<>());

    record Box(Object value) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { ((java.util.List) F.value()).add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { ((java.util.List) F.value()).get(0); }
    }
}
