import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Says everything that a program can easily see of its JVM. */
public class Look {
    static final int DEPTH = new Throwable().getStackTrace().length;

    static int deep(int n) {
        return n == 0 ? new Throwable().getStackTrace().length : deep(n - 1);
    }

    public static void main(String[] args) throws Exception {
        System.out.println("depth " + DEPTH + " " + deep(3));
        Thread[] threads = new Thread[100];
        int n = Thread.enumerate(threads);
        for (int i = 0; i < n; i++) {
            System.out.println("thread " + threads[i].getName());
        }
        Thread fresh = new Thread(() -> {});
        System.out.println("fresh " + fresh.getName() + " " + fresh.getId());
        for (Map.Entry<Object, Object> e : new TreeMap<Object, Object>(System.getProperties()).entrySet()) {
            System.out.println("property " + e.getKey() + "=" + e.getValue());
        }
        for (Class<?> c : new Class<?>[] {Look.class, String.class, System.class, java.io.File.class}) {
            String[] methods = Arrays.stream(c.getDeclaredMethods()).map(Method::toString).sorted().toArray(String[]::new);
            System.out.println(c + " " + c.getDeclaredFields().length + " " + Arrays.hashCode(methods) + " " + c.getModifiers());
        }
        System.out.println("open " + Object.class.getModule().isOpen("java.lang", Look.class.getModule()));
        StackWalker.getInstance().forEach(f -> System.out.println("frame " + f));
        System.out.println("loader " + ClassLoader.getSystemClassLoader().getClass());
        try {
            Class.forName("no.such.Type");
        } catch (ClassNotFoundException e) {
            System.out.println(Arrays.toString(e.getStackTrace()));
        }
        try {
            new java.io.FileInputStream("/no/such/file");
        } catch (java.io.FileNotFoundException e) {
            System.out.println(Arrays.toString(e.getStackTrace()));
        }
        System.out.println("unloaded " + isUnloaded(load()));
        Thread.currentThread().interrupt();
        System.getProperty("user.home");
        System.out.println("interrupted " + Thread.interrupted());
    }

    /** Loads this class once more, looks at it in several ways, and lets it go. */
    static WeakReference<Object> load() throws Exception {
        ClassLoader fresh = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                try (InputStream in = Look.class.getResourceAsStream(name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (java.io.IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        };
        Class<?> c = Class.forName("Look", true, fresh);
        Method deep = c.getDeclaredMethod("deep", int.class);
        deep.setAccessible(true);
        deep.invoke(null, 1);
        Thread t = new Thread(() -> {});
        t.setContextClassLoader(fresh);
        t.start();
        t.join();
        return new WeakReference<>(c.getName().isEmpty() ? null : fresh);
    }

    static boolean isUnloaded(WeakReference<Object> loader) throws Exception {
        for (int i = 0; i < 100 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return loader.get() == null;
    }
}
