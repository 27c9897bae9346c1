import org.junit.Test;

public class HandedRecordAppend {
    private static final Box F = new Box(new StringBuilder());

    record Box(Appendable to) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { try { F.to().append("" + fill()); } catch (java.io.IOException e) { throw new AssertionError(e); } other(); }
    }

    public static class Second {
        @Test public void uses() { F.to().toString(); }
    }
}
