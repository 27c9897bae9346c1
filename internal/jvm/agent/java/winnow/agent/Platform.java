package winnow.agent;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** The JUnit Platform: every engine reports its nodes by descriptors with unique ids. */
final class Platform {
    private static final String DESCRIPTOR = "org.junit.platform.engine.TestDescriptor";
    private static final String RESULT = "org.junit.platform.engine.TestExecutionResult";
    private static final String REQUEST = "org.junit.platform.engine.ExecutionRequest";
    private static final String METHOD = "org.junit.platform.engine.support.descriptor.MethodSource";
    private static final String VINTAGE = "org.junit.vintage.engine.descriptor.VintageTestDescriptor";
    private static final String CLASS = "org.junit.platform.engine.support.descriptor.ClassSource";
    private static final String INVOCATION = "org.junit.jupiter.engine.descriptor.TestTemplateInvocationTestDescriptor";
    private static final String CLASS_TEMPLATE = "org.junit.jupiter.engine.descriptor.ClassTemplateTestDescriptor";

    private final Recorder recorder;
    private final Set<String> excluded;
    private final ConcurrentHashMap<String, Node> nodes = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Object, Map<Object, Integer>> descriptions = new ConcurrentHashMap<>(); // by runner of Vintage: how often it has each
    private final Object[] told = new Object[256]; // nodes in suites that ended last, from several threads
    private int next;

    /** The first invocation of a template, which passed, and goes on for as long as others of the same template pass in the same thread. They belong together, and there may be tens of thousands. */
    private final AtomicReference<Node> open = new AtomicReference<>();
    private volatile Object template; // its descriptor
    private volatile Class<?> invocation; // the class of INVOCATION, once it is known
    private final Set<String> mixed = ConcurrentHashMap.newKeySet(); // templates of which some invocation did not pass: all others are told by themselves

    Platform(Recorder recorder, Set<String> excluded) {
        this.recorder = recorder;
        this.excluded = excluded;
    }

    void registered(Object descriptor) throws Exception {
        if (!goesOn(descriptor)) {
            node(descriptor).flags |= Node.DYNAMIC;
        }
    }

    void started(Object descriptor) throws Exception {
        if (goesOn(descriptor)) {
            return;
        }
        Node n = node(descriptor);
        if (!n.active) {
            recorder.begin(n);
        }
    }

    void skipped(Object descriptor) throws Exception {
        if (isTold(descriptor)) {
            return;
        }
        if (goesOn(descriptor)) {
            close();
        }
        Node n = node(descriptor);
        n.outcome = Node.SKIPPED;
        nodes.remove(n.place);
        recorder.end(n);
    }

    void finished(Object descriptor, Object result) throws Exception {
        String status = name(Ask.call(result, RESULT, "getStatus"));
        boolean passed = status.equals("SUCCESSFUL");
        boolean goesOn = goesOn(descriptor);
        if (goesOn && passed || isTold(descriptor)) {
            return;
        }
        if (descriptor == template || goesOn) {
            close();
        }
        Node n = node(descriptor);
        if (goesOn) {
            n.flags |= Node.DYNAMIC;
            recorder.begin(n);
        }
        if (!passed) {
            Optional<?> thrown = (Optional<?>) Ask.call(result, RESULT, "getThrowable");
            n.fail(status.equals("ABORTED") ? Node.ABORTED : Node.FAILED, thrown.orElse(null));
        }
        nodes.remove(n.place);
        if (isInvocation(descriptor) && stays(n, parent(descriptor))) {
            return;
        }
        recorder.end(n);
    }

    /** Whether an invocation of a template goes on from its end. */
    private boolean stays(Node n, Object parent) {
        if (n.outcome != 0) {
            mixed.add(n.parent.key);
        }
        if (mixed.contains(n.parent.key) || !recorder.isAlone() || !open.compareAndSet(null, n)) {
            return false;
        }
        template = parent;
        return true;
    }

    /** Whether a node is an invocation that belongs to the one that goes on. */
    private boolean goesOn(Object descriptor) throws Exception {
        Node n = open.get();
        return n != null && n.thread == Thread.currentThread() && isInvocation(descriptor) && parent(descriptor) == template;
    }

    /** Ends the invocation that went on. */
    private void close() {
        template = null;
        Node n = open.getAndSet(null);
        if (n != null) {
            recorder.end(n);
        }
    }

    private boolean isInvocation(Object descriptor) {
        Class<?> c = descriptor.getClass();
        if (c != invocation && c.getName().equals(INVOCATION)) {
            invocation = c;
        }
        return c == invocation;
    }

    private static Object parent(Object descriptor) throws Exception {
        return ((Optional<?>) Ask.call(descriptor, DESCRIPTOR, "getParent")).orElse(null);
    }

    /** Whether the end of a node was told just before. Each suite around an engine tells everything once more, one right after the other. */
    private synchronized boolean isTold(Object descriptor) throws Exception {
        if (key(descriptor).indexOf("/[engine:") < 0) {
            return false;
        }
        for (Object o : told) {
            if (o == descriptor) {
                return true;
            }
        }
        told[next++ % told.length] = descriptor;
        return false;
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
        if (known != null && known.source == descriptor) {
            return known;
        }
        Object parent = parent(descriptor);
        Node above = parent == null ? null : node(parent);
        // A launcher that a test started, in whatever thread: those of Surefire begin before all tests. Its root may have the same id as one of Surefire's.
        boolean inner = above == null ? recorder.runsTest() : above.isInner();
        String place = !inner ? key : above == null ? System.identityHashCode(descriptor) + " " + key : above.place + key;
        known = nodes.get(place);
        if (known != null) {
            return known;
        }
        Node n = describe(descriptor, key, above == null);
        n.parent = above;
        n.source = descriptor;
        n.place = place;
        if (inner) {
            n.flags |= Node.INNER;
        }
        Node other = nodes.putIfAbsent(place, n);
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

    /** The tests of an engine are known and none has begun: takes out what is excluded. A launcher that a test starts is left alone, and so is an engine that we do not know. */
    void found(Object request) throws Exception {
        if (excluded.isEmpty() || recorder.runsTest()) {
            return;
        }
        Object root = Ask.call(request, REQUEST, "getRootTestDescriptor");
        String key = key(root);
        String engine = key.substring(key.lastIndexOf('[')); // a suite has engines inside
        if (engine.equals("[engine:junit-jupiter]") || engine.equals("[engine:junit-vintage]")) {
            prune(root, true);
        }
    }

    /**
     * Reports whether something was taken out. A group is never excluded as a whole: it may have tests that nobody knew. Inside of a runner of Vintage only tests are removed: the
     * runner is filtered by descriptions, and that of a group may stand for the same class elsewhere.
     */
    private boolean prune(Object descriptor, boolean root) throws Exception {
        Collection<Object> children = new ArrayList<>((Collection<?>) Ask.call(descriptor, DESCRIPTOR, "getChildren"));
        Collection<?> copied = copied(descriptor);
        children.addAll(copied);
        if (!root && children.isEmpty()) {
            return remove(descriptor);
        }
        boolean removed = false;
        for (Object child : children) {
            removed |= prune(child, false);
        }
        for (Object child : children) {
            if (!((Optional<?>) Ask.call(child, DESCRIPTOR, "getParent")).isPresent()) {
                copied.remove(child);
            }
        }
        boolean empty = removed && copied.isEmpty() && ((Collection<?>) Ask.call(descriptor, DESCRIPTOR, "getChildren")).isEmpty();
        if (empty && !root && !isInsideRunner(descriptor) && !(Boolean) Ask.call(descriptor, DESCRIPTOR, "mayRegisterTests")) {
            Ask.call(descriptor, DESCRIPTOR, "removeFromHierarchy");
        }
        return removed;
    }

    /** What a class template of Jupiter has in the place of children: it copies them for each of its invocations. */
    private static Collection<?> copied(Object descriptor) throws Exception {
        Class<?> template = Ask.supertype(descriptor.getClass(), CLASS_TEMPLATE);
        if (template == null) {
            return new ArrayList<>();
        }
        try {
            Field f = template.getDeclaredField("childrenPrototypes");
            f.setAccessible(true);
            return (Collection<?>) f.get(descriptor);
        } catch (NoSuchFieldException | RuntimeException e) { // another version, or a module that is closed: all of them run
            return new ArrayList<>();
        }
    }

    private static boolean isInsideRunner(Object descriptor) throws Exception {
        String key = key(descriptor);
        return isVintage(key) && key.contains("]/[test:");
    }

    private static boolean isVintage(String key) {
        return key.contains("[engine:junit-vintage]/");
    }

    private boolean remove(Object descriptor) throws Exception {
        String key = excludedKey(descriptor);
        if (key == null) {
            return false;
        }
        Ask.call(descriptor, DESCRIPTOR, "removeFromHierarchy");
        recorder.excluded(key);
        return true;
    }

    /**
     * The key by which a test is excluded, null if it is not. In Vintage it is that without the platform: it stands for all parameter sets and all places of a test, as does the
     * description by which a runner is filtered.
     */
    private String excludedKey(Object descriptor) throws Exception {
        String key = key(descriptor);
        if (!isVintage(key)) {
            return excluded.contains(key) ? key : null;
        }
        Node n = describe(descriptor, key, false);
        if (!n.method.endsWith("()")) {
            // A theory, or a runner's own way to name tests. A runner is filtered by descriptions, so another test of the same one would go, too.
            return excluded.contains(key) && isAlone(descriptor) ? key : null;
        }
        String rest = n.method.substring(0, n.method.length() - 2) + "(" + n.type + ")";
        if (excluded.contains("junit4:" + rest)) {
            return "junit4:" + rest;
        }
        return excluded.contains("junit3:" + rest) ? "junit3:" + rest : null;
    }

    private boolean isAlone(Object descriptor) throws Exception {
        Object runner = descriptor;
        while (isInsideRunner(runner)) {
            runner = ((Optional<?>) Ask.call(runner, DESCRIPTOR, "getParent")).get();
        }
        Map<Object, Integer> of = descriptions.get(runner);
        if (of == null) {
            of = new HashMap<>();
            count(runner, of);
            descriptions.put(runner, of);
        }
        return Integer.valueOf(1).equals(of.get(Ask.call(descriptor, VINTAGE, "getDescription")));
    }

    /** Counts how many descriptors from one downwards have each description. */
    private static void count(Object descriptor, Map<Object, Integer> of) throws Exception {
        of.merge(Ask.call(descriptor, VINTAGE, "getDescription"), 1, Integer::sum);
        for (Object child : (Collection<?>) Ask.call(descriptor, DESCRIPTOR, "getChildren")) {
            count(child, of);
        }
    }
}
