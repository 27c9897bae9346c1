import org.junit.Test;

public class HandedRecordMap {
    private static final Box F = new Box(new java.util.HashMap<>());

    record Box(java.util.Map<String, Object> map) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.map().put("k", fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.map().get("k"); }
    }
}
