import org.junit.Test;

public class HandedAdvField {
    static class Box {
        Object value;
    }

    private static final Box X = new Box();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { new Box().value = 1; X.value = fill(); other(); }
    }

    public static class Second {
        @Test public void uses() { new Box().value = 1; java.util.Objects.hashCode(X.value); }
    }
}
