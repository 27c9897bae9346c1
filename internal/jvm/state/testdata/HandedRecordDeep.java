import org.junit.Test;

public class HandedRecordDeep {
    private static final A F = new A(new B(new C(new D(new java.util.ArrayList<>()))));

    record A(B b) { }

    record B(C c) { }

    record C(D d) { }

    record D(java.util.List<Object> l) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.b().c().d().l().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.b().c().d().l().get(0); }
    }
}
