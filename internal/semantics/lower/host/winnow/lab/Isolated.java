package winnow.lab;

import java.util.Map;

/** The class loader of one program: its classes come from here, everything else from the application. */
final class Isolated extends ClassLoader {
    private final String prefix;
    private final Map<String, byte[]> classes;

    Isolated(String prefix, Map<String, byte[]> classes) {
        super(Isolated.class.getClassLoader());
        this.prefix = prefix;
        this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(prefix)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = classes.get(name.replace('.', '/') + ".class");
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
