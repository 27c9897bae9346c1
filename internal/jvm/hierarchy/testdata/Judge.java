import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs generated programs, each in a class loader of its own, and says what every call did.
 *
 * <p>Requests on stdin: 'R' name, answered by the bytes of a class of the JDK; 'P' with classes (name, bytes) and calls (class, method, receiver,
 * token), answered by one text for each class and each call: "ok", an identity that starts with '#', "native" for a result of the JDK's own, or the
 * simple name of what was thrown. A call with a token stores it in a field; the answer is the identity of the field that has it afterwards.
 */
public class Judge {
    static final class Loader extends ClassLoader {
        final Map<String, byte[]> files = new LinkedHashMap<>();

        Loader() {
            super(Judge.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("java.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> c = findLoadedClass(name);
            if (c != null) {
                return c;
            }
            byte[] file = files.get(name);
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, file, 0, file.length);
        }
    }

    static final Object unsafe;
    static final Method allocate;

    static {
        try {
            Class<?> c = Class.forName("sun.misc.Unsafe");
            Field f = c.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            unsafe = f.get(null);
            allocate = c.getMethod("allocateInstance", Class.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
        for (;;) {
            int request = in.read();
            if (request < 0) {
                return;
            }
            if (request == 'R') {
                resource(in.readUTF(), out);
            } else {
                program(in, out);
            }
            out.flush();
        }
    }

    static void resource(String name, DataOutputStream out) throws Exception {
        try (InputStream file = Object.class.getResourceAsStream("/" + name + ".class")) {
            byte[] data = file.readAllBytes();
            out.writeInt(data.length);
            out.write(data);
        }
    }

    static void program(DataInputStream in, DataOutputStream out) throws Exception {
        Loader loader = new Loader();
        for (int n = in.readInt(); n > 0; n--) {
            String name = in.readUTF().replace('/', '.');
            byte[] file = new byte[in.readInt()];
            in.readFully(file);
            loader.files.put(name, file);
        }
        for (String name : loader.files.keySet()) {
            out.writeUTF(define(name, loader));
        }
        Map<String, Method> methods = new HashMap<>();
        for (int n = in.readInt(); n > 0; n--) {
            out.writeUTF(call(in.readUTF().replace('/', '.'), in.readUTF(), in.readUTF().replace('/', '.'), in.readUTF(), loader, methods));
        }
    }

    static String define(String name, Loader loader) {
        try {
            Class.forName(name, true, loader);
            return "ok";
        } catch (Throwable t) {
            return thrown(t);
        }
    }

    /** A class that is not there is a ClassNotFoundException to a loader and a NoClassDefFoundError to the program. */
    static String thrown(Throwable t) {
        return t instanceof ClassNotFoundException ? "NoClassDefFoundError" : t.getClass().getSimpleName();
    }

    static String call(String name, String method, String receiver, String token, Loader loader, Map<String, Method> methods) {
        Object object;
        Method m;
        try {
            object = make(receiver, loader);
            m = methods.get(name + ":" + method);
            if (m == null) {
                for (Method each : Class.forName(name, true, loader).getDeclaredMethods()) {
                    each.setAccessible(true);
                    methods.put(name + ":" + each.getName(), each);
                }
                m = methods.get(name + ":" + method);
            }
        } catch (Throwable t) {
            return "cannot call: " + t;
        }
        try {
            Object result = m.invoke(null, object);
            if (!token.isEmpty()) {
                return stored(token, object, loader);
            }
            return result instanceof String && ((String) result).startsWith("#") ? (String) result : "native";
        } catch (InvocationTargetException e) {
            Throwable t = e.getCause();
            return t instanceof CloneNotSupportedException ? "native" : t.getClass().getSimpleName();
        } catch (Throwable t) {
            return "cannot call: " + t;
        }
    }

    static Object make(String name, Loader loader) throws Exception {
        if (name.isEmpty()) {
            return null;
        }
        Class<?> c = Class.forName(name, true, loader);
        if (c.isArray()) {
            return Array.newInstance(c.getComponentType(), 0);
        }
        Object object = allocate.invoke(unsafe, c);
        for (; c != Object.class; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (!Modifier.isStatic(f.getModifiers())) {
                    f.setAccessible(true);
                    f.set(object, identity(f));
                }
            }
        }
        return object;
    }

    static String identity(Field f) {
        return "#" + f.getDeclaringClass().getName().replace('.', '/') + "." + f.getName() + " L" + f.getType().getName().replace('.', '/') + ";";
    }

    static String stored(String token, Object object, Loader loader) throws Exception {
        for (String name : loader.files.keySet()) {
            if (!define(name, loader).equals("ok")) {
                continue;
            }
            Class<?> c = Class.forName(name, true, loader);
            for (Field f : c.getDeclaredFields()) {
                f.setAccessible(true);
                boolean here = Modifier.isStatic(f.getModifiers()) || c.isInstance(object);
                if (here && token.equals(f.get(object))) {
                    return identity(f);
                }
            }
        }
        return "stored nowhere";
    }
}
