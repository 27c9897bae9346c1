import java.util.Vector;
import java.util.function.Consumer;
import org.junit.Test;

/** A method reference to a list that may be one of the project or one of the JDK. */
public class CapturedReference {
    private static final Keep VALUE = memo(true);

    interface Keep { void keep(Object o); }

    static class Own extends Vector<Object> {
        @Override public synchronized void insertElementAt(Object o, int at) {
            if (isEmpty()) {
                super.insertElementAt(fill(), at);
            }
        }
    }

    static Keep memo(boolean own) {
        Vector<Object> list = own ? new Own() : new Vector<>();
        KeepAt at = list::insertElementAt;
        return o -> at.keep(o, 0);
    }

    interface KeepAt { void keep(Object o, int at); }

    static Object get() {
        VALUE.keep("a");
        return VALUE;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
