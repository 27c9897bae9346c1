import org.junit.Test;

public class HandedHeaders {
    private static final com.sun.net.httpserver.Headers F = new com.sun.net.httpserver.Headers();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.add("a", "" + fill().hashCode()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.getFirst("a"); }
    }
}
