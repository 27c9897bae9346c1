import org.junit.Test;

public class HandedAlias {
    private static final java.util.List<Object> ALL = new java.util.ArrayList<>();

    static class Other { static final java.util.List<Object> SAME = ALL; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { Other.SAME.add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { ALL.get(0); }
    }
}
