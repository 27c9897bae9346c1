import org.junit.Test;

public class HandedRecordElements {
    private static final Box F = new Box(new java.nio.charset.Charset[1]);

    record Box(Object[] a) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.a()[0] = java.nio.charset.Charset.forName(fill() == null ? "UTF-8" : "UTF-16"); other(); }
    }

    public static class Second {
        @Test public void uses() { F.a()[0].toString(); }
    }
}
