import org.junit.Test;

public class CalmCircle {
    interface A { Object a(Object o); }

    interface B { Object b(Object o); }

    static A toA(B b) { return b::b; }

    static B toB(A a) { return a::a; }

    static Object fill() { return new Object(); }

    public static class First {
        @Test public void fills() { toA(toB(o -> fill())).a("x"); }
    }

    public static class Second {
        @Test public void uses() { toA(toB(o -> o)).a("x"); }
    }
}
