import junit.extensions.TestSetup;
import junit.framework.TestCase;
import junit.framework.TestSuite;

public class Three extends TestCase {
    public Three(String name) {
        super(name);
    }

    public static junit.framework.Test suite() {
        return new TestSuite(Three.class);
    }

    protected void setUp() {
        Task.setUp();
    }

    public void testOne() {
        Task.one();
    }

    public void testTwo() {
        Task.two();
        fail();
    }

    public void testError() {
        throw new IllegalStateException(Task.error());
    }

    /** Suites in suites, one of them with a set-up of its own. */
    public static class Nested {
        public static junit.framework.Test suite() {
            TestSuite inner = new TestSuite();
            inner.addTest(new Three("testOne"));
            TestSuite all = new TestSuite();
            all.addTest(new TestSetup(inner) {
                @Override
                protected void setUp() {
                    Task.shared();
                }
            });
            all.addTest(new TestSuite(Three.class));
            return all;
        }
    }
}

class Task {
    static void setUp() {}
    static void shared() {}
    static void one() {}
    static void two() {}
    static String error() { return ""; }
}
