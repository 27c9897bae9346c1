import org.junit.Test;

public class HandedKeeper {
    interface Keeper {
        Object swap(Object v);
    }

    private static final Keeper KEEPER = keeper();

    static Keeper keeper() {
        java.util.concurrent.atomic.AtomicReference<Object> kept = new java.util.concurrent.atomic.AtomicReference<>();
        return kept::getAndSet;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { KEEPER.swap(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { KEEPER.swap("b"); }
    }
}
