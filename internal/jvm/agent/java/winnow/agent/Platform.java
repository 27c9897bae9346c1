package winnow.agent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The JUnit Platform: every engine reports its nodes by descriptors with unique ids. */
final class Platform {
    private static final String DESCRIPTOR = "org.junit.platform.engine.TestDescriptor";
    private static final String RESULT = "org.junit.platform.engine.TestExecutionResult";
    private static final String REQUEST = "org.junit.platform.engine.ExecutionRequest";
    private static final String METHOD = "org.junit.platform.engine.support.descriptor.MethodSource";
    private static final String CLASS = "org.junit.platform.engine.support.descriptor.ClassSource";

    private final Recorder recorder;
    private final Set<String> excluded;
    private final ConcurrentHashMap<String, Node> nodes = new ConcurrentHashMap<>();

    Platform(Recorder recorder, Set<String> excluded) {
        this.recorder = recorder;
        this.excluded = excluded;
    }

    void registered(Object descriptor) throws Exception {
        node(descriptor).flags |= Node.DYNAMIC;
    }

    void started(Object descriptor) throws Exception {
        recorder.begin(node(descriptor));
    }

    void skipped(Object descriptor) throws Exception {
        Node n = node(descriptor);
        n.outcome = Node.SKIPPED;
        nodes.remove(n.key);
        recorder.end(n);
    }

    void finished(Object descriptor, Object result) throws Exception {
        Node n = node(descriptor);
        String status = name(Ask.call(result, RESULT, "getStatus"));
        if (!status.equals("SUCCESSFUL")) {
            Optional<?> thrown = (Optional<?>) Ask.call(result, RESULT, "getThrowable");
            n.fail(status.equals("ABORTED") ? Node.ABORTED : Node.FAILED, thrown.orElse(null));
        }
        nodes.remove(n.key);
        recorder.end(n);
    }

    private static String name(Object constant) {
        return ((Enum<?>) constant).name();
    }

    private static String key(Object descriptor) throws Exception {
        return Ask.call(descriptor, DESCRIPTOR, "getUniqueId").toString();
    }

    private Node node(Object descriptor) throws Exception {
        String key = key(descriptor);
        Node known = nodes.get(key);
        if (known != null) {
            return known;
        }
        Object parent = ((Optional<?>) Ask.call(descriptor, DESCRIPTOR, "getParent")).orElse(null);
        Node above = parent == null ? null : node(parent);
        Node n = describe(descriptor, key, above == null);
        n.parent = above;
        if (above == null ? recorder.insideTest() : above.isInner()) {
            n.flags |= Node.INNER;
        }
        Node other = nodes.putIfAbsent(key, n);
        return other == null ? n : other;
    }

    private static Node describe(Object descriptor, String key, boolean root) throws Exception {
        int kind = root ? Node.ROOT : 0;
        String type = name(Ask.call(descriptor, DESCRIPTOR, "getType"));
        kind |= type.startsWith("CONTAINER") ? Node.CONTAINER : 0;
        kind |= type.endsWith("TEST") ? Node.TEST : 0;
        Object source = ((Optional<?>) Ask.call(descriptor, DESCRIPTOR, "getSource")).orElse(null);
        if (Ask.is(source, METHOD)) {
            String method = Ask.call(source, METHOD, "getMethodName") + "(" + text(Ask.call(source, METHOD, "getMethodParameterTypes")) + ")";
            return new Node(Node.PLATFORM, kind, key, text(Ask.call(source, METHOD, "getClassName")), method);
        }
        String name = Ask.is(source, CLASS) ? text(Ask.call(source, CLASS, "getClassName")) : "";
        return new Node(Node.PLATFORM, kind, key, name, "");
    }

    private static String text(Object o) {
        return o == null ? "" : o.toString();
    }

    /** The tests of an engine are known and none has begun: takes out what is excluded. A launcher that a test starts is left alone. */
    void found(Object request) throws Exception {
        if (!excluded.isEmpty() && !recorder.insideTest()) {
            prune(Ask.call(request, REQUEST, "getRootTestDescriptor"), true);
        }
    }

    /** Reports whether something was taken out. A group is never excluded as a whole: it may have tests that nobody knew. */
    private boolean prune(Object descriptor, boolean root) throws Exception {
        Collection<?> children = new ArrayList<>((Collection<?>) Ask.call(descriptor, DESCRIPTOR, "getChildren"));
        if (!root && children.isEmpty()) {
            return remove(descriptor);
        }
        boolean removed = false;
        for (Object child : children) {
            removed |= prune(child, false);
        }
        boolean empty = removed && ((Collection<?>) Ask.call(descriptor, DESCRIPTOR, "getChildren")).isEmpty();
        if (empty && !root && !(Boolean) Ask.call(descriptor, DESCRIPTOR, "mayRegisterTests")) {
            Ask.call(descriptor, DESCRIPTOR, "removeFromHierarchy");
        }
        return removed;
    }

    private boolean remove(Object descriptor) throws Exception {
        String key = key(descriptor);
        if (!excluded.contains(key)) {
            key = oldKey(descriptor, key);
        }
        if (!excluded.contains(key)) {
            return false;
        }
        Ask.call(descriptor, DESCRIPTOR, "removeFromHierarchy");
        recorder.excluded(key);
        return true;
    }

    /** The key that a test of JUnit 4 has without the platform. It stands for all parameter sets, whose unique ids say only which one they are. */
    private static String oldKey(Object descriptor, String key) throws Exception {
        if (!key.startsWith("[engine:junit-vintage]/")) {
            return key;
        }
        Node n = describe(descriptor, key, false);
        return n.method.endsWith("()") ? "junit4:" + n.method.substring(0, n.method.length() - 2) + "(" + n.type + ")" : key;
    }
}
