import org.junit.Test;

public class HandedRecordEntry {
    private static final Box F = new Box(new java.util.HashMap<>(java.util.Map.of("k", "v")));

    record Box(java.util.Map<String, Object> map) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.map().entrySet().iterator().next().setValue(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.map().get("k"); }
    }
}
