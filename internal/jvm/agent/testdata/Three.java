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
}

class Task {
    static void setUp() {}
    static void one() {}
    static void two() {}
    static String error() { return ""; }
}
