package winnow.host;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

/** Runs the tests of one program, each outcome written as soon as it is known. */
final class Running implements Runnable {
    static final int STACK = 256 << 10; // endless recursion is common in generated programs, and should end soon

    private static final int PER_TEST = 2;
    private static final int PER_CLASS = 1;

    private static final int NOTHING = 0; // is recorded
    private static final int DETAIL = 2;

    private static final int RETURNED = 1;
    private static final int THREW = 2;
    private static final int ERROR = 3;

    private final Wire wire;
    private final Probes probes;
    private final ClassLoader around;
    private final int mode;
    private final int isolation;
    private final int ids;
    private final Map<String, byte[]> classes;
    private final Map<String, byte[]> resources;
    private final String[] tests; // class, method, class, method, …

    private Unit unit;
    private int units;
    private Throwable failure;

    Running(Wire wire, Probes probes, ClassLoader around) throws IOException {
        this.wire = wire;
        this.probes = probes;
        this.around = around;
        mode = wire.number();
        isolation = wire.number();
        ids = wire.number();
        classes = wire.files();
        resources = wire.files();
        tests = wire.texts();
    }

    void answer() throws Exception {
        Thread runner = new Thread(null, this, "main", STACK);
        runner.start();
        runner.join();
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        wire.put(probes.lost() ? 1 : 0).put(leftovers());
    }

    /** How many threads of programs still run: they inherit the class loader of the test that started them. */
    private static int leftovers() {
        ThreadGroup top = Thread.currentThread().getThreadGroup();
        while (top.getParent() != null) {
            top = top.getParent();
        }
        Thread[] all = new Thread[top.activeCount() + 16];
        int count = 0;
        for (int i = top.enumerate(all) - 1; i >= 0; i--) {
            if (all[i].getContextClassLoader() instanceof Unit) {
                count++;
            }
        }
        return count;
    }

    @Override
    public void run() {
        try {
            probes.start(ids, classes.keySet(), mode == DETAIL);
            for (int i = 0; i < tests.length; i += 2) {
                if (unit == null || isolation == PER_TEST || isolation == PER_CLASS && !tests[i].equals(tests[i - 2])) {
                    unit = new Unit(classes, resources, around, probes::sought);
                    units++;
                }
                Thread.currentThread().setContextClassLoader(unit);
                test(tests[i], tests[i + 1]);
                wire.flush();
            }
        } catch (Throwable t) {
            failure = t;
        }
    }

    private void test(String className, String method) throws Exception {
        Probes.Stretch own = new Probes.Stretch();
        Object value = null;
        Throwable thrown = null;
        int result = RETURNED;
        if (mode != NOTHING) {
            probes.to(own);
        }
        try {
            Class<?> c = Class.forName(className, true, unit);
            Constructor<?> make = c.getConstructor();
            Method m = c.getMethod(method);
            try {
                value = m.invoke(make.newInstance());
            } catch (InvocationTargetException e) {
                result = THREW;
                thrown = e.getCause();
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            result = ERROR;
            thrown = e;
        }
        if (mode != NOTHING) {
            probes.to(null);
        }
        write(result, thrown, state(value), own);
    }

    private static String state(Object value) throws IllegalAccessException {
        return State.of(value);
    }

    private void write(int result, Throwable thrown, String state, Probes.Stretch own) throws IOException {
        wire.put(result).put(thrown == null ? "" : thrown.getClass().getName()).put(thrown == null ? state : "").put(units - 1);
        write(own);
        List<Probes.Window> windows = probes.takeClosed();
        wire.put(windows.size());
        for (Probes.Window w : windows) {
            wire.put(w.id).put(w.open ? 1 : 0);
            write(w);
        }
    }

    private void write(Probes.Stretch s) throws IOException {
        wire.put(s.hits.size());
        for (int id : s.hits) {
            wire.put(id);
        }
        wire.put(s.events.size());
        for (String event : s.events) {
            wire.put(event.charAt(0)).put(event.substring(1));
        }
    }
}
