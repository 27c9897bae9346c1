import java.util.Vector;
import java.util.function.Consumer;
import org.junit.Test;

/** A method reference to a list that the body makes itself calls the JDK, and not a list of the project with a method of that name. */
public class CalmReference {
    static class Own extends Vector<Object> {
        @Override public void addElement(Object o) {
            fill();
            super.addElement(o);
        }
    }

    static int get() {
        Vector<Object> list = new Vector<>();
        Consumer<Object> keep = list::addElement;
        keep.accept("a");
        Runnable more = () -> list.addElement("b");
        more.run();
        return list.size();
    }

    static void fill() { }

    public static class First {
        @Test public void fills() { new Own().addElement("a"); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
