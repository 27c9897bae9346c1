import org.junit.Test;

public class HandedHeir {
    /** Keeps what it is given in fields of the JDK. */
    static class Keeps extends java.util.HashMap<String, Object> {
        static final Keeps I = new Keeps();
    }

    static void keep(Object v) { Keeps.I.put("k", v); }

    static Object kept() { return Keeps.I.get("k"); }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { keep(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { kept(); }
    }
}
