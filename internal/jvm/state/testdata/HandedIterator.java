import org.junit.Test;

public class HandedIterator {
    private static final java.util.Iterator<Object> ALL = java.util.Arrays.<Object>asList(1, 2, 3).iterator();

    static Object next(Object before) { return ALL.next(); }

    static Object after() { return ALL.next(); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { next(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { after(); }
    }
}
