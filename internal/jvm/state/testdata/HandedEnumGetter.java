import org.junit.Test;

public class HandedEnumGetter {
    enum One {
        I;

        private final java.util.Map<String, Object> all = new java.util.HashMap<>();

        java.util.Map<String, Object> all() { return all; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { One.I.all().put("k", fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { One.I.all().get("k"); }
    }
}
