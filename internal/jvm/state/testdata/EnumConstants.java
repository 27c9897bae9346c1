import org.junit.Test;

public class EnumConstants {
    enum Kind {
        ONE, TWO
    }

    static Object get() { return Enum.valueOf(Kind.class, "ONE"); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
