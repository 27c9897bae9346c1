import org.junit.Test;

public class HandedSelf {
    static class Node {
        private static final Node ROOT = new Node();

        private Node next;

        private Object value;

        Node next() {
            if (next == null) {
                next = new Node();
            }
            return next;
        }

        void set(Object v) { value = v; }

        Object get() { return value; }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { new Node().next(); Node.ROOT.next().next().set(fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { new Node().next(); Node.ROOT.next().next().get(); }
    }
}
