package winnow.agent;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

/** TestNG: listeners are told of a result when its test begins and when it ends. Configuration methods run between tests and belong to all. */
final class Testng {
    private static final String RESULT = "org.testng.ITestResult";
    private static final String METHOD = "org.testng.ITestNGMethod";
    private static final String CLASS = "org.testng.IClass";

    private static final int SUCCESS = 1;
    private static final int SKIP = 3;
    private static final int STARTED = 16;

    private final Recorder recorder;
    private final Map<Object, Node> nodes = Collections.synchronizedMap(new IdentityHashMap<Object, Node>()); // TestNG keeps all results, too

    Testng(Recorder recorder) {
        this.recorder = recorder;
    }

    /** Each list of listeners is told apart, so everything comes several times; the first time counts. */
    void reported(Object result) throws Exception {
        int status = (Integer) Ask.call(result, RESULT, "getStatus");
        if (status == STARTED) {
            if (!recorder.insideTest()) {
                Node n = make(result);
                nodes.put(result, n);
                recorder.begin(n);
            }
            return;
        }
        Node n = nodes.get(result);
        if (n == null && !recorder.insideTest() && status > 0) {
            n = make(result);
            nodes.put(result, n);
        }
        if (n == null || n.outcome != 0) {
            return;
        }
        n.outcome = Node.PASSED;
        if (status != SUCCESS) {
            n.fail(status == SKIP ? Node.SKIPPED : Node.FAILED, Ask.call(result, RESULT, "getThrowable"));
        }
        recorder.end(n);
    }

    private static Node make(Object result) throws Exception {
        String type = Ask.call(Ask.call(result, RESULT, "getTestClass"), CLASS, "getName").toString();
        String method = Ask.call(Ask.call(result, RESULT, "getMethod"), METHOD, "getMethodName").toString();
        return new Node(Node.TESTNG, Node.TEST, "testng:" + method + "(" + type + ")", type, method);
    }
}
