import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.ServiceLoader;
import junit.framework.TestCase;

/** Asks the JDK for what makes no sense: tests of other programs do, to see what comes of it. */
public class Nonsense extends TestCase {
    static int asked;

    interface Call {
        Object make(String with) throws Throwable;
    }

    static final String[] WORDS = {null, "", " ", ".", "..", "/", "//", "\\", ";", "[", "[[", "[;", "[[[;", "[L", "[L;", "[[L;", "[I", "[[I;", "[Ljava.lang.String", "L;", "a;", "a[", "a[]", "$", "a$", "a$1", "a.", ".a", "a..b", "a/b", "\0", "a\0b", "\n", "\ud800", "\uffff", "é", "=", "a=b", ":", "http:", "file:", "jar:file:!/", "%", "*", "?", "<init>"};

    public void testNames() {
        each(w -> Class.forName(w));
        each(w -> Class.forName(w, false, null));
        each(w -> Class.forName(w, false, Nonsense.class.getClassLoader()));
        each(w -> Nonsense.class.getClassLoader().loadClass(w));
        each(w -> Nonsense.class.getMethod(w, (Class<?>[]) null));
        each(w -> Nonsense.class.getDeclaredField(w));
        each(w -> Package.getPackage(w));
        each(w -> Enum.valueOf(Thread.State.class, w));
    }

    public void testResources() {
        each(w -> Nonsense.class.getResource(w));
        each(w -> close(Nonsense.class.getResourceAsStream(w)));
        each(w -> ClassLoader.getSystemResource(w));
        each(w -> ClassLoader.getSystemResources(w).hasMoreElements());
        each(w -> ResourceBundle.getBundle(w));
        each(w -> ResourceBundle.getBundle(w, w == null ? null : new Locale(w)));
        each(w -> new URL(w).openStream());
        each(w -> new URLClassLoader(new URL[] {new File(w).toURI().toURL(), null}).getResource(w));
        each(w -> ServiceLoader.load(w == null ? null : Runnable.class).iterator().hasNext());
    }

    public void testFiles() {
        each(w -> new File(w).exists());
        each(w -> new File((File) null, w).isDirectory());
        each(w -> new File(w).list());
        each(w -> new File(w).length());
        each(w -> new FileInputStream(w));
        each(w -> new FileInputStream((File) null));
        each(w -> new FileOutputStream(w + "/no/such/directory"));
        each(w -> new RandomAccessFile(w, "r"));
        each(w -> new RandomAccessFile("x", w));
        each(w -> Files.exists(Paths.get(w)));
        each(w -> Files.newInputStream(w == null ? null : Paths.get(w)));
        each(w -> Files.list(w == null ? null : Paths.get(w + "/no")));
        each(w -> Files.readAttributes((Path) null, w));
    }

    public void testSettings() {
        each(w -> System.getProperty(w));
        each(w -> System.getProperty(w, null));
        each(w -> System.getProperties().getProperty(w));
        each(w -> System.getProperties().get(w == null ? (Object) 1 : w));
        each(w -> System.getProperties().containsKey(w == null ? new Object() : w));
        each(w -> System.setProperty(w, null));
        each(w -> System.clearProperty(w));
        each(w -> System.getenv(w));
        each(w -> System.getenv().get(w));
        each(w -> System.getenv().containsKey(w));
        each(w -> Integer.getInteger(w));
        each(w -> Boolean.getBoolean(w));
    }

    public void testOthers() {
        each(w -> new Socket("127.0.0.1", 0)); // other names would be looked up elsewhere
        each(w -> {
            Socket s = new Socket();
            s.connect(null);
            return s;
        });
        each(w -> {
            Socket s = new Socket();
            s.connect(InetSocketAddress.createUnresolved("localhost", 1));
            return s;
        });
        each(w -> {
            ServerSocket s = new ServerSocket();
            s.bind(null);
            return close(s);
        });
        each(w -> new ProcessBuilder((String) null).start());
        each(w -> new ProcessBuilder(new String[0]).start());
        each(w -> Runtime.getRuntime().exec((String) null));
        each(w -> {
            System.loadLibrary(w);
            return null;
        });
        each(w -> {
            System.load(w);
            return null;
        });
        each(w -> Array.newInstance(null, 1));
        each(w -> Proxy.newProxyInstance(null, null, null));
        each(w -> Proxy.newProxyInstance(null, new Class<?>[] {null}, (p, m, a) -> null));
        each(w -> ((Method) null).invoke(null));
        each(w -> Nonsense.class.getMethod("testOthers").invoke(null));
        each(w -> Nonsense.class.getMethod("testOthers").invoke("no such object"));
    }

    static void each(Call c) {
        for (String w : WORDS) {
            try {
                close(c.make(w));
            } catch (Throwable expected) {
                asked++;
            }
        }
        assertTrue(asked > 0);
    }

    static Object close(Object o) throws Exception {
        if (o instanceof AutoCloseable) {
            ((AutoCloseable) o).close();
        }
        return o;
    }
}
