package winnow.agent;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Calls public methods of a test framework that the agent was not compiled against. */
final class Ask {
    private static final ConcurrentHashMap<String, ConcurrentHashMap<String, Method>> KNOWN = new ConcurrentHashMap<>(); // by type and name

    /** By identity: two methods are equal if they stand for the same one. */
    private static final Map<Method, Method> OWN = Collections.synchronizedMap(new IdentityHashMap<Method, Method>());

    private Ask() {}

    /** Whether a method was found here, so that calling it is not the program's doing. */
    static boolean isOwn(Object member) {
        return OWN.containsKey(member);
    }

    /** Calls a method without parameters that a supertype of the target's class declares or inherits. */
    static Object call(Object target, String type, String method) throws Exception {
        ConcurrentHashMap<String, Method> known = KNOWN.get(type);
        if (known == null) {
            known = new ConcurrentHashMap<>();
            KNOWN.put(type, known);
        }
        Method m = known.get(method);
        if (m == null || !m.getDeclaringClass().isInstance(target)) {
            Class<?> c = supertype(target.getClass(), type);
            if (c == null) {
                throw new IllegalArgumentException(target.getClass().getName() + " is no " + type);
            }
            m = c.getMethod(method);
            known.put(method, m);
            OWN.put(m, m);
        }
        return m.invoke(target);
    }

    static boolean is(Object target, String type) {
        return target != null && supertype(target.getClass(), type) != null;
    }

    static Class<?> supertype(Class<?> c, String name) {
        for (; c != null; c = c.getSuperclass()) {
            if (c.getName().equals(name)) {
                return c;
            }
            for (Class<?> i : c.getInterfaces()) {
                Class<?> found = supertype(i, name);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }
}
