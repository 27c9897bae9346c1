package winnow.agent;

/** A test or a group of tests. */
final class Node {
    static final int PLATFORM = 1;
    static final int JUNIT4 = 2;
    static final int JUNIT3 = 3;
    static final int TESTNG = 4;

    static final int CONTAINER = 1;
    static final int TEST = 2;
    static final int ROOT = 4;

    static final int DYNAMIC = 1;
    static final int INNER = 2;

    static final int PASSED = 1;
    static final int FAILED = 2;
    static final int ABORTED = 3;
    static final int SKIPPED = 4;

    final int framework;
    final int kind;
    final String key;
    final String type;
    final String method;
    Node parent;
    int flags;
    Object source; // its descriptor, and where the platform's nodes have it
    String place;

    int id;
    boolean active;
    Thread thread;
    int outcome;
    String why = "";

    Node(int framework, int kind, String key, String type, String method) {
        this.framework = framework;
        this.kind = kind;
        this.key = key;
        this.type = type;
        this.method = method;
    }

    boolean isTest() {
        return (kind & TEST) != 0;
    }

    /** Whether this is a run of a method that may have many, or is inside of one. */
    boolean isInvocation() {
        return parent != null && (!parent.method.isEmpty() || parent.isInvocation());
    }

    boolean isInner() {
        return (flags & INNER) != 0;
    }

    void fail(int how, Object thrown) {
        if (outcome == FAILED) {
            return;
        }
        outcome = how;
        why = thrown == null ? "" : thrown.getClass().getName();
    }
}
