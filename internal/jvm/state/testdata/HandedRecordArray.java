import org.junit.Test;

public class HandedRecordArray {
    private static final Box F = new Box(new int[1]);

    record Box(int[] a) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.a()[0] = fill().hashCode(); other(); }
    }

    public static class Second {
        @Test public void uses() { int i = F.a()[0]; }
    }
}
