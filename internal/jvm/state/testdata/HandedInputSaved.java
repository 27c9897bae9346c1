import org.junit.Test;

public class HandedInputSaved {
    static void give(java.io.InputStream in) { System.setIn(in); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { give(new java.io.ByteArrayInputStream(fill().toString().getBytes())); other(); }
    }

    public static class Second {
        @Test public void uses() { new java.util.Scanner(System.in).hasNext(); }
    }
}
