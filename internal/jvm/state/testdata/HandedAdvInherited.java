import org.junit.Test;

public class HandedAdvInherited {
    abstract static class Base {
        protected Object kept;

        Base keep(Object v) { kept = v; return this; }
    }

    static class Derived extends Base {
        Object kept() { return kept; }
    }

    private static final Derived X = new Derived();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { new Derived().kept(); X.keep(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { new Derived().kept(); X.kept(); }
    }
}
