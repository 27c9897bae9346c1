import org.junit.Test;

public class HandedSame {

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { System.setErr(new java.io.PrintStream(new java.io.ByteArrayOutputStream(fill().hashCode() & 7))); other(); }
    }

    public static class Second {
        @Test public void uses() { java.util.Objects.hashCode(System.err); }
    }
}
