package winnow.agent;

import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;

/** Which class an object of java.lang.reflect is about. */
final class Members {
    private Members() {}

    /** A method, a constructor, or the constructor without parameters of a class, as "class.name(types)type" with dots in the class; null for what the JDK has itself. */
    static String signature(Object o) {
        Class<?> c = o instanceof Class ? (Class<?>) o : ((Member) o).getDeclaringClass();
        ClassLoader l = c.getClassLoader();
        String name = c.getName();
        if (l == null || l == $Winnow.platform || name.indexOf('/') >= 0) { // a JVM that makes a class itself makes objects of it, too
            return null;
        }
        StringBuilder out = new StringBuilder(name).append('.');
        if (o instanceof Class) {
            return out.append("<init>()V").toString();
        }
        out.append(o instanceof Method ? ((Method) o).getName() : "<init>").append('(');
        for (Class<?> p : ((Executable) o).getParameterTypes()) {
            describe(out, p);
        }
        out.append(')');
        if (o instanceof Method) {
            describe(out, ((Method) o).getReturnType());
        } else {
            out.append('V');
        }
        return out.toString();
    }

    private static void describe(StringBuilder out, Class<?> c) {
        for (; c.isArray(); c = c.getComponentType()) {
            out.append('[');
        }
        if (c.isPrimitive()) {
            // the name of an array of it ends with the letter of its type
            out.append(c == void.class ? 'V' : Array.newInstance(c, 0).getClass().getName().charAt(1));
        } else {
            out.append('L').append(c.getName().replace('.', '/')).append(';');
        }
    }

    static Class<?> owner(Object o) {
        if (o instanceof Member) {
            return ((Member) o).getDeclaringClass();
        }
        if (o instanceof Parameter) {
            return ((Parameter) o).getDeclaringExecutable().getDeclaringClass();
        }
        try { // a component of a record, which Java 8 does not have
            return (Class<?>) o.getClass().getMethod("getDeclaringRecord").invoke(o);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
