import org.junit.Test;

public class HandedRecordGeneric {
    private static final Box<java.util.List<Object>> F = new Box<>(new java.util.ArrayList<>());

    record Box<T>(T value) { }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { F.value().add(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { F.value().get(0); }
    }
}
