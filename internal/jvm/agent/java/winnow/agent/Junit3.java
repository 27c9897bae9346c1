package winnow.agent;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

/** JUnit 3: results are told of each test object. Groups are not reported. */
final class Junit3 {
    private static final String CASE = "junit.framework.TestCase";

    private final Recorder recorder;
    private final Map<Object, Node> nodes = Collections.synchronizedMap(new IdentityHashMap<Object, Node>());

    Junit3(Recorder recorder) {
        this.recorder = recorder;
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
