import org.junit.Test;

public class HandedInput {
    static int read() {
        try {
            return System.in.read();
        } catch (java.io.IOException e) {
            return -2;
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { System.setIn(new java.io.ByteArrayInputStream(fill().toString().getBytes())); other(); }
    }

    public static class Second {
        @Test public void uses() { read(); }
    }
}
