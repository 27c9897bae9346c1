package winnow.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/** JUnit 4 without the platform. Before 4.13 groups are not reported; what runs between tests then belongs to all. */
final class Junit4 {
    private static final String DESCRIPTION = "org.junit.runner.Description";
    private static final String FAILURE = "org.junit.runner.notification.Failure";
    private static final String RUNNER = "org.junit.runners.ParentRunner";

    private final Recorder recorder;
    private final Set<String> excluded;
    private final ConcurrentHashMap<String, Node> nodes = new ConcurrentHashMap<>();
    private final Map<Object, Boolean> notifiers = new WeakHashMap<>(); // whether a test made them

    Junit4(Recorder recorder, Set<String> excluded) {
        this.recorder = recorder;
        this.excluded = excluded;
    }

    private static String text(Object description, String method) throws Exception {
        Object s = Ask.call(description, DESCRIPTION, method);
        return s == null ? "" : s.toString();
    }

    /** The class of a description. Before 4.6 only its name has it: "method(class)", or the class alone. */
    private static String type(Object description) throws Exception {
        try {
            return text(description, "getClassName");
        } catch (NoSuchMethodException e) {
            String name = text(description, "getDisplayName");
            int open = opening(name);
            return open < 0 ? name : name.substring(open + 1, name.length() - 1);
        }
    }

    private static String method(Object description) throws Exception {
        try {
            return text(description, "getMethodName");
        } catch (NoSuchMethodException e) {
            String name = text(description, "getDisplayName");
            return name.substring(0, Math.max(0, opening(name)));
        }
    }

    /** Where the class begins in the name of a test; -1 if it is not that of one. */
    private static int opening(String name) {
        return name.endsWith(")") ? name.lastIndexOf('(') : -1;
    }

    private static String key(Object description) throws Exception {
        return "junit4:" + text(description, "getDisplayName");
    }

    private Node make(Object description, int kind) throws Exception {
        String type = type(description);
        Node n = new Node(Node.JUNIT4, kind, key(description), type, method(description));
        n.parent = recorder.group(type);
        return n;
    }

    /**
     * Whether a test runs tests by a notifier of its own, in whatever thread: that of Surefire is used first while no test runs, and then for all. But a test of JUnit 3 has begun when its notifier is told of it, in its
     * thread; and while no notifier is known, such a test that runs in another thread may be told by this one next.
     */
    boolean isInner(Object notifier) {
        synchronized (notifiers) {
            Boolean known = notifiers.get(notifier);
            if (known == null) {
                known = recorder.runsTestBesidesJunit3(!notifiers.isEmpty());
                notifiers.put(notifier, known);
            }
            return known;
        }
    }

    void started(Object description, int kind) throws Exception {
        if (recorder.insideTest()) {
            return; // by another framework that runs this one, or by a test that runs tests
        }
        Node n = make(description, kind);
        nodes.put(n.key, n);
        recorder.begin(n);
    }

    void finished(Object description) throws Exception {
        Node n = nodes.remove(key(description));
        if (n != null) {
            recorder.end(n);
        }
    }

    void ignored(Object description) throws Exception {
        if (!recorder.insideTest()) {
            Node n = make(description, Node.TEST);
            n.outcome = Node.SKIPPED;
            recorder.end(n);
        }
    }

    /** A failure comes before the end of its test, or alone if it is that of a group. */
    void failed(Object failure, int how) throws Exception {
        Object description = Ask.call(failure, FAILURE, "getDescription");
        Object thrown = Ask.call(failure, FAILURE, "getException");
        Node n = nodes.get(key(description));
        if (n != null) {
            n.fail(how, thrown);
        } else if (!recorder.insideTest()) {
            n = make(description, method(description).isEmpty() ? Node.CONTAINER : Node.TEST);
            n.fail(how, thrown);
            recorder.end(n);
        }
    }

    /** A runner is about to run: takes out what is excluded. A runner that was made otherwise keeps all its tests. */
    void found(Object runner) throws Exception {
        if (excluded.isEmpty() || recorder.insideTest()) {
            return;
        }
        try {
            prune(runner);
        } catch (NoSuchFieldException | NoSuchMethodException e) {
            recorder.problem(Recorder.NOT_EXCLUDED, "this version of JUnit 4");
        }
    }

    /** Reports whether a runner lost all its children. With none left it runs no set-up of its class. */
    private boolean prune(Object runner) throws Exception {
        Class<?> parent = Ask.supertype(runner.getClass(), RUNNER);
        if (parent == null) {
            return false;
        }
        Method children = parent.getDeclaredMethod("getFilteredChildren");
        children.setAccessible(true);
        Collection<?> before = (Collection<?>) children.invoke(runner);
        List<Object> after = new ArrayList<>();
        for (Object child : before) {
            if (keeps(parent, runner, child)) {
                after.add(child);
            }
        }
        if (after.size() < before.size()) {
            Field kept = filteredChildren(parent);
            kept.setAccessible(true);
            kept.set(runner, Collections.unmodifiableList(after));
        }
        return after.isEmpty() && !before.isEmpty();
    }

    private static Field filteredChildren(Class<?> parent) throws NoSuchFieldException {
        try {
            return parent.getDeclaredField("filteredChildren");
        } catch (NoSuchFieldException e) {
            return parent.getDeclaredField("fFilteredChildren"); // before 4.12
        }
    }

    private boolean keeps(Class<?> parent, Object runner, Object child) throws Exception {
        if (Ask.is(child, "org.junit.runner.Runner")) {
            return !prune(child); // one that is no parent may run more than it describes, and stays
        }
        Method describe = parent.getDeclaredMethod("describeChild", Object.class);
        describe.setAccessible(true);
        Object description = describe.invoke(runner, child);
        String method = method(description);
        int bracket = method.indexOf('['); // a parameter set belongs to its method
        String plain = bracket < 0 ? method : method.substring(0, bracket);
        String key = "junit4:" + plain + "(" + type(description) + ")";
        if (method.isEmpty() || !excluded.contains(key)) {
            return true;
        }
        recorder.excluded(key);
        return false;
    }
}
