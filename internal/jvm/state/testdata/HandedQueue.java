import org.junit.Test;

public class HandedQueue {
    private static Node head = new Node(new Node(null));

    static class Node {
        private final Node next;

        Node(Node next) { this.next = next; }
    }

    static boolean next() {
        if (head != null) {
            head = head.next;
        }
        return head == null;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); next(); other(); }
    }

    public static class Second {
        @Test public void uses() { next(); }
    }
}
