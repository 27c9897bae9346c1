package winnow.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * TestNG: listeners are told of a result when its test begins and when it ends. A class is a group from the set-up for its first method on; its end is not told, so it
 * lasts until the thread goes on to another class after its last method, or until the end of the runner.
 */
final class Testng {
    private static final String RESULT = "org.testng.ITestResult";
    private static final String METHOD = "org.testng.ITestNGMethod";
    private static final String CLASS = "org.testng.IClass";
    private static final String CONTEXT = "org.testng.ITestContext";
    private static final String RUNNER = "org.testng.TestRunner";

    private static final int SUCCESS = 1;
    private static final int SKIP = 3;
    private static final int STARTED = 16;

    private final Recorder recorder;
    private final Set<String> excluded;
    private final Map<Object, Node> nodes = Collections.synchronizedMap(new IdentityHashMap<Object, Node>()); // TestNG keeps all results, too
    private volatile boolean ran; // some runner did
    private volatile String making;
    private final Map<Object, Group> groups = new IdentityHashMap<>(); // by class of TestNG; guarded by this

    Testng(Recorder recorder, Set<String> excluded) {
        this.recorder = recorder;
        this.excluded = excluded;
    }

    /** A class of TestNG that runs or will run. */
    private static final class Group {
        final Object runner;
        int left; // methods that have not ended
        Node node;

        Group(Object runner) {
            this.runner = runner;
        }
    }

    /** Whether TestNG only reports what it would run. An engine of the JUnit Platform lists its tests so. */
    private static boolean isDry() {
        return Boolean.getBoolean("testng.mode.dryrun");
    }

    /** TestNG makes the object of a class. Before its first run it does so for all classes, whichever tests are left out. */
    void makes(Class<?> type) {
        making = type.getName();
        if (!ran) {
            recorder.looking(making);
        }
    }

    void made() {
        if (!ran) {
            recorder.found(making);
        }
    }

    /** A runner is about to run its tests. */
    void running(Object runner, boolean grouped) throws Throwable {
        ran = true;
        if (isDry() || recorder.insideTest()) {
            return;
        }
        if (!excluded.isEmpty()) {
            intercept(runner);
        }
        if (grouped) {
            List<Object> all = new ArrayList<>();
            for (Object m : allMethods(runner)) {
                if (!excluded.contains(key(m))) {
                    all.add(m);
                }
            }
            count(runner, all);
        }
    }

    /** Says which methods of a runner will run. With more of them its groups last longer, which is safe. */
    synchronized void count(Object runner, List<?> methods) throws Exception {
        for (Object m : methods) {
            Object type = Ask.call(m, METHOD, "getTestClass");
            Group g = groups.get(type);
            if (g == null) {
                g = new Group(runner);
                groups.put(type, g);
            }
            g.left++;
        }
    }

    /**
     * Puts a filter in the place of the ordering that TestNG has built in. Another interceptor beside it would change the order of the tests. Fields and methods are found one by
     * one: listing them would load types of libraries that need not be there.
     */
    private void intercept(Object runner) throws Exception {
        Class<?> c = Ask.supertype(runner.getClass(), RUNNER);
        try {
            MethodHandles.Lookup in = Modules.privateLookup(c);
            if (!isOrderedByField(in, c, runner)) {
                @SuppressWarnings("unchecked")
                List<Object> list = (List<Object>) in.findGetter(c, "m_methodInterceptors", List.class).invokeWithArguments(runner);
                list.set(0, TestngFilter.around(list.get(0), this));
            }
        } catch (Throwable t) {
            recorder.problem(Recorder.NOT_EXCLUDED, "this version of TestNG");
        }
    }

    /** TestNG 6 has a field for it, which the user's takes over before 6.9; later versions have it first in a list. */
    private boolean isOrderedByField(MethodHandles.Lookup in, Class<?> c, Object runner) throws Throwable {
        Class<?> type = Class.forName(TestngFilter.INTERCEPTOR, false, c.getClassLoader());
        for (String field : new String[] {"builtinInterceptor", "m_methodInterceptor"}) {
            try {
                Object built = in.findGetter(c, field, type).invokeWithArguments(runner);
                in.findSetter(c, field, type).invokeWithArguments(runner, TestngFilter.around(built, this));
                return true;
            } catch (NoSuchFieldException e) {
                // another version
            }
        }
        return false;
    }

    private static Object[] allMethods(Object runner) throws Throwable {
        Class<?> context = Ask.supertype(runner.getClass(), CONTEXT);
        Class<?> methods = Class.forName("[L" + METHOD + ";", false, context.getClassLoader());
        return (Object[]) MethodHandles.publicLookup().findVirtual(context, "getAllTestMethods", MethodType.methodType(methods)).invokeWithArguments(runner);
    }

    /** The methods that remain. A test that others depend on cannot be left out, because TestNG would skip them. */
    List<Object> filter(List<?> methods) throws Exception {
        List<Object> kept = new ArrayList<>();
        List<String> out = new ArrayList<>();
        boolean dependent = false;
        for (Object instance : methods) {
            Object m = Ask.call(instance, "org.testng.IMethodInstance", "getMethod");
            String key = key(m);
            if (excluded.contains(key)) {
                out.add(key);
            } else {
                kept.add(instance);
                dependent |= isDependent(m);
            }
        }
        if (dependent && !out.isEmpty()) {
            recorder.problem(Recorder.NOT_EXCLUDED, "TestNG tests that depend on others");
            return new ArrayList<Object>(methods);
        }
        for (String key : out) {
            recorder.excluded(key);
        }
        return kept;
    }

    void failed(Throwable t) {
        recorder.problem(Recorder.NOT_EXCLUDED, "TestNG: " + t.getClass().getName());
    }

    private static boolean isDependent(Object method) throws Exception {
        return ((Object[]) Ask.call(method, METHOD, "getMethodsDependedUpon")).length > 0 || ((Object[]) Ask.call(method, METHOD, "getGroupsDependedUpon")).length > 0;
    }

    /** The set-up for a method of a class comes next. */
    synchronized void classBegins(Object type) throws Exception {
        if (isDry() || recorder.insideTest()) {
            return;
        }
        endGroups(null);
        Group g = groups.get(type);
        if (g != null && g.node == null) {
            String name = Ask.call(type, CLASS, "getName").toString();
            g.node = new Node(Node.TESTNG, Node.CONTAINER, "testng:" + name, name, "");
            recorder.begin(g.node);
        }
    }

    /** A method of a class has run; the tear-down of the class may follow. */
    synchronized void methodEnds(Object type) {
        Group g = groups.get(type);
        if (g != null) {
            g.left--;
        }
    }

    synchronized void runnerEnds(Object runner) {
        endGroups(runner);
    }

    /** Ends the groups of a runner, or those whose last method ran in this thread. */
    private void endGroups(Object runner) {
        for (Iterator<Group> i = groups.values().iterator(); i.hasNext(); ) {
            Group g = i.next();
            boolean over = runner != null ? g.runner == runner : g.node != null && g.left <= 0 && g.node.thread == Thread.currentThread();
            if (over) {
                i.remove();
                if (g.node != null) {
                    recorder.end(g.node);
                }
            }
        }
    }

    /** Each list of listeners is told apart, so everything comes several times; the first time counts. */
    void reported(Object result) throws Exception {
        if (isDry()) {
            return;
        }
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

    private static String key(Object method) throws Exception {
        return key(type(method), Ask.call(method, METHOD, "getMethodName").toString());
    }

    private static String key(String type, String method) {
        return "testng:" + method + "(" + type + ")";
    }

    private static String type(Object method) throws Exception {
        return Ask.call(Ask.call(method, METHOD, "getTestClass"), CLASS, "getName").toString();
    }

    private Node make(Object result) throws Exception {
        Object m = Ask.call(result, RESULT, "getMethod");
        String type = type(m);
        String method = Ask.call(m, METHOD, "getMethodName").toString();
        Node n = new Node(Node.TESTNG, Node.TEST, key(type, method), type, method);
        synchronized (this) {
            Group g = groups.get(Ask.call(m, METHOD, "getTestClass"));
            n.parent = g == null ? null : g.node;
        }
        return n;
    }
}
