import org.junit.Test;

public class HandedRecord {
    private static final Box F = new Box(new java.util.ArrayList<>());

    record Box(java.util.List<Object> list) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.list().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.list().get(0); }
    }
}
