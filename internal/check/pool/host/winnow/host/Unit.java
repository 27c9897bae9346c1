package winnow.host;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.function.Consumer;

/** Holds the classes of one program. Its own classes come first, so that nothing outside is asked for them. */
final class Unit extends ClassLoader {
    private final Map<String, byte[]> classes; // by internal name
    private final Map<String, byte[]> resources;
    private final Consumer<String> missing;

    /** The names of classes that are nowhere are told: an application's loader would tell that it looked for them on the class path. */
    Unit(Map<String, byte[]> classes, Map<String, byte[]> resources, ClassLoader around, Consumer<String> missing) {
        super("unit", around);
        this.missing = missing;
        this.classes = classes;
        this.resources = resources;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        byte[] bytes = classes.get(name.replace('.', '/'));
        if (bytes == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : defineClass(name, bytes, 0, bytes.length);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        missing.accept(name);
        throw new ClassNotFoundException(name);
    }

    @Override
    protected URL findResource(String name) {
        byte[] bytes = resources.get(name);
        try {
            return bytes == null ? null : new URL("unit", "", -1, "/" + name, new Handler(bytes));
        } catch (MalformedURLException e) {
            return null;
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL one = findResource(name);
        return one == null ? Collections.emptyEnumeration() : Collections.enumeration(Collections.singleton(one));
    }

    /** Whether a class belongs to a program. */
    static boolean has(Class<?> c) {
        return c.getClassLoader() instanceof Unit;
    }

    private static final class Handler extends URLStreamHandler {
        private final byte[] bytes;

        Handler(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {
                @Override
                public void connect() {}

                @Override
                public InputStream getInputStream() throws IOException {
                    return new ByteArrayInputStream(bytes);
                }
            };
        }
    }
}
