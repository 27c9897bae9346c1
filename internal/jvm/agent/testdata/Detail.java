import junit.framework.TestCase;

/** What details show: edges, receivers, calls by reflection. */
public class Detail extends TestCase {
    abstract static class Shape {
        int area() {
            return side() * side();
        }

        abstract int side();

        int wide(boolean w) {
            if (w) {
                return 1;
            }
            return 2;
        }
    }

    static class Small extends Shape {
        int side() {
            return 1;
        }
    }

    static class Large extends Shape {
        int side() {
            return 9;
        }
    }

    interface Step {
        int from(int x);

        default int twice(int x) {
            return from(from(x));
        }
    }

    public void testSmall() {
        assertEquals(1, new Small().area());
        assertEquals(1, new Small().wide(true));
    }

    public void testLarge() {
        assertEquals(81, new Large().area());
        assertEquals(2, new Large().wide(false));
    }

    public void testLambda() {
        Step s = x -> x + 1;
        assertEquals(4, s.twice(2));
    }

    private static Object make(Class<?> c) throws Exception {
        return c.getDeclaredConstructor().newInstance();
    }

    private static Object make(int overloaded) {
        return overloaded;
    }

    @SuppressWarnings("deprecation")
    public void testReflective() throws Exception {
        Object o = make(Small.class);
        Shape.class.getDeclaredMethod("wide", boolean.class).invoke(o, true);
        Large.class.newInstance();
        assertEquals("1", String.class.getMethod("valueOf", Object.class).invoke(null, 1));
    }

    /** Ends with an overflow of the stack, caught by itself; nothing is lost by that. */
    public void testDeep() {
        try {
            deep(0);
        } catch (StackOverflowError e) {
            return;
        }
        fail();
    }

    private int deep(int n) {
        return deep(n + 1) + 1;
    }
}
