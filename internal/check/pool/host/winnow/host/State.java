package winnow.host;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Map;

/** Writes values down: each object of the program once, with its class, supertypes and fields, inherited ones included. No code of the program is called. */
final class State {
    private static final int MOST = 10000;

    private final StringBuilder out = new StringBuilder();
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
    private final ArrayDeque<Object> waiting = new ArrayDeque<>();

    private State() {}

    /** The state of what a test returned: of the elements of an array, or of one value. */
    static String of(Object returned) throws IllegalAccessException {
        State s = new State();
        Object[] all = returned instanceof Object[] ? (Object[]) returned : new Object[] {returned};
        for (int i = 0; i < all.length; i++) {
            s.out.append('v').append(i).append(" = ");
            s.value(all[i], 0);
            s.out.append('\n');
        }
        while (!s.waiting.isEmpty() && s.numbers.size() < MOST) {
            s.object(s.waiting.remove());
        }
        return s.out.toString();
    }

    private void value(Object o, int depth) {
        if (o == null || o instanceof Number && o.getClass().getName().startsWith("java.lang.") || o instanceof Boolean) {
            out.append(o);
        } else if (o instanceof Character) {
            out.append('\'').append((int) (Character) o);
        } else if (o instanceof String) {
            out.append('"').append(((String) o).replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"")).append('"');
        } else if (o instanceof Class) {
            out.append("class ").append(((Class<?>) o).getName());
        } else if (Unit.has(o.getClass()) && !o.getClass().isHidden()) {
            reference(o);
        } else if (depth < 8 && isJdk(o)) {
            container(o, depth);
        } else {
            out.append("some object");
        }
    }

    /** Containers of the JDK can be looked into without calling the program. */
    private static boolean isJdk(Object o) {
        return o.getClass().isArray() || (o instanceof Collection || o instanceof Map || o instanceof Throwable) && o.getClass().getClassLoader() == null;
    }

    private void container(Object o, int depth) {
        out.append(o.getClass().getName()).append('[');
        if (o.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(o); i++) {
                value(Array.get(o, i), depth + 1);
                out.append(' ');
            }
        } else if (o instanceof Collection) {
            for (Object each : (Collection<?>) o) {
                value(each, depth + 1);
                out.append(' ');
            }
        } else if (o instanceof Map) {
            for (Map.Entry<?, ?> e : ((Map<?, ?>) o).entrySet()) {
                value(e.getKey(), depth + 1);
                out.append(": ");
                value(e.getValue(), depth + 1);
                out.append(' ');
            }
        }
        out.append(']');
    }

    private void reference(Object o) {
        Integer number = numbers.get(o);
        if (number == null) {
            number = numbers.size();
            numbers.put(o, number);
            waiting.add(o);
        }
        out.append('#').append(number);
    }

    private void object(Object o) throws IllegalAccessException {
        out.append('#').append(numbers.get(o)).append(" = ");
        supertypes(o.getClass());
        for (Class<?> c = o.getClass(); c != null && Unit.has(c); c = c.getSuperclass()) {
            Field[] fields = c.getDeclaredFields();
            Arrays.sort(fields, Comparator.comparing(Field::getName));
            for (Field f : fields) {
                if (!Modifier.isStatic(f.getModifiers())) {
                    f.setAccessible(true);
                    out.append(' ').append(c.getName()).append('.').append(f.getName()).append('=');
                    value(f.get(o), 0);
                }
            }
        }
        if (o instanceof Enum) {
            out.append(' ').append(((Enum<?>) o).name()).append('@').append(((Enum<?>) o).ordinal());
        }
        out.append('\n');
    }

    private void supertypes(Class<?> c) {
        out.append(c.getName());
        for (Class<?> i : c.getInterfaces()) {
            out.append(" & ");
            supertypes(i);
        }
        if (c.getSuperclass() != null && c.getSuperclass() != Object.class) {
            out.append(" < ");
            supertypes(c.getSuperclass());
        }
    }
}
