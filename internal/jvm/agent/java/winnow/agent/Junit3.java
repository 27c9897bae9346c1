package winnow.agent;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** JUnit 3: results are told of each test object. Groups are not reported; tests are taken out of a suite before it runs. */
final class Junit3 {
    private static final String CASE = "junit.framework.TestCase";
    private static final String SUITE = "junit.framework.TestSuite";
    private static final String DECORATOR = "junit.extensions.TestDecorator";

    private final Recorder recorder;
    private final Set<String> excluded;
    private final Map<Object, Node> nodes = Collections.synchronizedMap(new IdentityHashMap<Object, Node>());

    Junit3(Recorder recorder, Set<String> excluded) {
        this.recorder = recorder;
        this.excluded = excluded;
    }

    /** A suite is about to run: takes out what is excluded. A test that is run without a suite stays. */
    void found(Object suite) throws Exception {
        if (excluded.isEmpty() || recorder.insideTest()) {
            return;
        }
        try {
            prune(suite);
        } catch (NoSuchFieldException e) {
            recorder.problem(Recorder.NOT_EXCLUDED, "this version of JUnit 3");
        }
    }

    /** Reports whether a test or a group of them must not run; of a group, because it lost all its tests. */
    private boolean prune(Object test) throws Exception {
        if (Ask.is(test, DECORATOR)) {
            return prune(Ask.call(test, DECORATOR, "getTest"));
        }
        if (Ask.is(test, SUITE)) {
            return pruneSuite(test);
        }
        String key = Ask.is(test, CASE) ? excludedKey(test) : null;
        if (key != null) {
            recorder.excluded(key);
        }
        return key != null;
    }

    private boolean pruneSuite(Object suite) throws Exception {
        Field f = Ask.supertype(suite.getClass(), SUITE).getDeclaredField("fTests");
        f.setAccessible(true);
        @SuppressWarnings("unchecked")
        List<Object> tests = (List<Object>) f.get(suite);
        boolean removed = false;
        for (Object test : tests.toArray()) {
            if (prune(test)) {
                removed |= removeSame(tests, test);
            }
        }
        return removed && tests.isEmpty();
    }

    /** By identity: a test may have an equals of its own. */
    private static boolean removeSame(List<Object> tests, Object test) {
        for (int i = 0; i < tests.size(); i++) {
            if (tests.get(i) == test) {
                tests.remove(i);
                return true;
            }
        }
        return false;
    }

    /** The key by which a test is excluded, null if it is not. A runner of JUnit 4 gives its tests other keys. */
    private String excludedKey(Object test) throws Exception {
        Object name = Ask.call(test, CASE, "getName");
        String rest = name + "(" + test.getClass().getName() + ")";
        for (String framework : new String[] {"junit3:", "junit4:"}) {
            if (name != null && excluded.contains(framework + rest)) {
                return framework + rest;
            }
        }
        return null;
    }

    void started(Object test) throws Exception {
        if (recorder.insideTest()) {
            return;
        }
        Object name = Ask.is(test, CASE) ? Ask.call(test, CASE, "getName") : null;
        String type = test.getClass().getName();
        String method = name == null ? "" : name.toString();
        Node n = new Node(Node.JUNIT3, Node.TEST, "junit3:" + method + "(" + type + ")", type, method);
        n.parent = recorder.group(type);
        nodes.put(test, n);
        recorder.begin(n);
    }

    void finished(Object test) {
        Node n = nodes.remove(test);
        if (n != null) {
            recorder.end(n);
        }
    }

    void failed(Object test, Object thrown) {
        Node n = nodes.get(test);
        if (n != null) {
            n.fail(Node.FAILED, thrown);
        }
    }
}
