import java.io.File;
import java.io.FileInputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** Tests whose process does not end as others do, and tests that ask for things. */
public class Life extends TestCase {
    public Life(String name) {
        super(name);
    }

    /** A first test that passes, then the one that the property names. */
    public static junit.framework.Test suite() {
        TestSuite s = new TestSuite();
        s.addTest(new Life("before"));
        if ("moves".equals(System.getProperty("life"))) {
            s.addTest(new Life("holds"));
            for (int i = 0; i < 600; i++) { // from some number of stacks on, the agent asks only threads that have run
                s.addTest(new Life("idles"));
            }
            s.addTest(new Life("looksOn"));
        }
        s.addTest(new Life(System.getProperty("life")));
        s.addTest(new Life("last"));
        return s;
    }

    public void before() {
        java.util.ResourceBundle.getBundle("Words", java.util.Locale.FRANCE);
        Steps.before();
        Steps.cached();
    }

    public void last() {
        java.util.ResourceBundle.getBundle("Words", java.util.Locale.FRANCE);
        Steps.last();
        Steps.cached();
    }

    public void exits() {
        Steps.middle();
        System.exit(3);
    }

    public void halts() {
        Steps.middle();
        Runtime.getRuntime().halt(4);
    }

    /** Waits to be killed. */
    public void hangs() throws Exception {
        Steps.middle();
        System.out.println("hanging");
        System.out.flush();
        Thread.sleep(600000);
    }

    /** Leaves something to be done at the end of the JVM. */
    public void hooks() {
        Runtime.getRuntime().addShutdownHook(new Thread(Steps::closing));
    }

    public void hooksAndExits() {
        hooks();
        System.exit(3);
    }

    public void interrupts() {
        Thread.currentThread().interrupt();
    }

    /** Leaves a thread that goes on in a method without entering another one. */
    public void leaves() throws Exception {
        CountDownLatch ready = new CountDownLatch(1);
        Thread t = new Thread(() -> Steps.background(ready));
        t.setDaemon(true);
        t.start();
        ready.await();
    }

    /** The same with a virtual thread, which waits without a carrier. */
    public void leavesVirtual() throws Exception {
        CountDownLatch ready = new CountDownLatch(1);
        Runnable r = () -> Steps.waiting(ready);
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, r);
        ready.await();
    }

    /** Leaves a thread that waits in one method, and later, after moves, in another. */
    public void holds() throws Exception {
        Thread t = new Thread(() -> { Steps.first(); Steps.second(); });
        t.setDaemon(true);
        t.start();
        Steps.arrivals.acquire();
        while (t.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
    }

    public void moves() throws Exception {
        Steps.departures.release();
        Steps.arrivals.acquire();
    }

    public void idles() {}

    public void looksOn() {}

    public void initializes() {
        try {
            Steps.bad();
        } catch (ExceptionInInitializerError e) {
            Steps.caught();
        }
    }

    /** Takes room in the log. */
    public void asks() throws Exception {
        for (int i = 0; i < 5000; i++) {
            System.getProperty("some.long.name.of.a.property.that.nobody.has." + i);
        }
    }

    static void quietly(Callable<?> c) {
        try {
            c.call();
        } catch (Throwable t) {
            // that it was asked for is what counts
        }
    }

    public void looks() {
        quietly(() -> new FileInputStream("/no/read"));
        quietly(() -> new java.io.FileOutputStream("/no/write"));
        quietly(() -> new java.io.RandomAccessFile("/no/random", "rw"));
        quietly(() -> new File("/no/exists").exists());
        quietly(() -> new File("/no/list").list());
        quietly(() -> Files.newInputStream(Paths.get("/no/nio-read")));
        quietly(() -> Files.exists(Paths.get("/no/nio-exists")));
        quietly(() -> Files.newDirectoryStream(Paths.get("/no/nio-list")));
        quietly(() -> Files.write(Paths.get("/no/nio-write"), new byte[1]));
        quietly(() -> System.getProperty("no.property"));
        quietly(() -> System.getenv("NO_VARIABLE"));
        quietly(() -> System.getenv().containsValue("no"));
        quietly(() -> System.getProperties());
        quietly(() -> new ProcessBuilder("/no/process", "secret").start());
        quietly(() -> Life.class.getClassLoader().getResource("no-resource"));
        quietly(() -> Class.forName("no.such.Type"));
        quietly(() -> new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress()));
        quietly(() -> new java.net.Socket("127.0.0.1", 1));
        quietly(() -> java.nio.channels.SocketChannel.open(new java.net.InetSocketAddress("::1", 2)));
        quietly(() -> { new java.net.DatagramSocket().send(new java.net.DatagramPacket(new byte[1], 1, new java.net.InetSocketAddress("127.0.0.1", 9))); return null; });
    }

    /** A system loader that a program brings; the classes themselves come from the one above. */
    public static class Above extends java.net.URLClassLoader {
        public Above(ClassLoader parent) {
            super(new java.net.URL[0], parent);
        }

        /** The JVM starts no agents with a system loader that does not have this. */
        void appendToClassPathForInstrumentation(String path) throws java.net.MalformedURLException {
            addURL(new File(path).toURI().toURL());
        }
    }
}


/** A resource bundle; files would come after it. */
class Words extends java.util.ListResourceBundle {
    public Words() {}

    @Override
    protected Object[][] getContents() {
        return new Object[][] {{"word", ""}};
    }
}

class Steps {
    static volatile boolean stop;
    static int turns;

    static Integer cache;

    /** Whoever comes first fills the cache, outside of any initializer. */
    static int cached() {
        if (cache == null) {
            cache = fill();
        }
        return cache;
    }

    static int fill() {
        return 7;
    }

    static void before() {}
    static void middle() {}
    static void last() {}
    static void caught() {}
    static void closing() {}

    static void background(CountDownLatch ready) {
        ready.countDown();
        while (!stop) {
            turns++;
        }
    }

    static void waiting(CountDownLatch ready) {
        ready.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static final Semaphore arrivals = new Semaphore(0);
    static final Semaphore departures = new Semaphore(0);

    static void first() {
        arrivals.release();
        departures.acquireUninterruptibly();
    }

    static void second() {
        arrivals.release();
        departures.acquireUninterruptibly();
    }

    static void bad() {
        Bad.touch();
    }
}

class Bad {
    static {
        if (Steps.turns >= 0) {
            throw new IllegalStateException();
        }
    }

    static void touch() {}
}
