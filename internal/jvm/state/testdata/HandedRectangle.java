import org.junit.Test;

public class HandedRectangle {
    private static final java.awt.Point X = new java.awt.Point();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.translate(fill().hashCode(), 0); other(); }
    }

    public static class Second {
        @Test public void uses() { X.getX(); }
    }
}
