import java.net.URL;
import java.net.URLClassLoader;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** Loads one class by two loaders of its own, which share nothing with the program's. */
public class Loaders extends TestCase {
    public Loaders(String name) {
        super(name);
    }

    public static junit.framework.Test suite() {
        TestSuite s = new TestSuite();
        s.addTest(new Loaders("first"));
        s.addTest(new Loaders("second"));
        return s;
    }

    static void load() throws Exception {
        URL[] here = {Loaders.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader l = new URLClassLoader(here, null)) {
            java.lang.reflect.Method m = l.loadClass("Loaded").getDeclaredMethod("run");
            m.setAccessible(true);
            m.invoke(null);
        }
    }

    public void first() throws Exception {
        load();
    }

    public void second() throws Exception {
        load();
    }
}

class Loaded {
    static final Object MARK = mark();

    static Object mark() {
        return new Object();
    }

    public static void run() {}
}
