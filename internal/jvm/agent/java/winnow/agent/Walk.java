package winnow.agent;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Goes through what a field leads to, from object to object in the order in which they are met, as far as that order says what was there before. Used by one thread at a time. */
final class Walk {
    private static final int OBJECTS = 1024;
    private static final int VALUES = 8192;
    private static final int NUMBERS = 1 << 16; // in arrays
    private static final int EMPTIES = 256;

    /** What cannot be looked at, or is too much. */
    private static final RuntimeException UNKNOWN = new RuntimeException("cannot be looked at", null, false, false) {
        private static final long serialVersionUID = 1;
    };

    private final Threads threads;
    private final Object[] objects = new Object[OBJECTS];
    private final boolean[] leaves = new boolean[OBJECTS]; // objects without content
    private final long[] values = new long[VALUES];
    private int count;
    private int size;
    private Snapshot last;
    private boolean same; // as far as the walk has come
    private final Object[] arrays = new Object[OBJECTS]; // of numbers
    private int arrayCount;
    private int arraySize;
    private boolean changeable; // there is something that can be changed
    private Thread[] running;
    private Object[][] variables; // of the threads
    private final long[] empties = new long[EMPTIES]; // see Snapshot
    private int emptyCount;
    private boolean onlyEmpties;

    Walk(Threads threads) {
        this.threads = threads;
    }

    /** What a static field leads to: the last snapshot if that still holds. */
    Snapshot of(Field field, Snapshot last) throws ReflectiveOperationException {
        this.last = last;
        same = last != null;
        size = 0;
        count = 0;
        arrayCount = 0;
        arraySize = 0;
        emptyCount = 0;
        onlyEmpties = false;
        changeable = !Modifier.isFinal(field.getModifiers());
        field(field, null);
        for (int i = 0; i < count; i++) {
            if (!leaves[i]) {
                content(objects[i], Shape.of(objects[i]));
            }
        }
        if (same && size == last.values.length && count == last.objects.length && arrayCount == last.arrays.length) {
            if (hasSameEmpties()) {
                return last;
            }
            onlyEmpties = true;
        }
        Object[] kept = new Object[count];
        for (int i = 0; i < count; i++) {
            kept[i] = kept(objects[i]);
        }
        Object[] copies = new Object[arrayCount];
        for (int i = 0; i < arrayCount; i++) {
            copies[i] = copy(arrays[i]);
        }
        return new Snapshot(kept, Arrays.copyOf(leaves, count), Arrays.copyOf(values, size), copies, Arrays.copyOf(empties, emptyCount), changeable);
    }

    private boolean hasSameEmpties() {
        boolean all = emptyCount == last.empties.length;
        for (int i = 0; all && i < emptyCount; i++) {
            all = empties[i] == last.empties[i];
        }
        return all;
    }

    private static Object copy(Object array) {
        int n = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), n);
        System.arraycopy(array, 0, copy, 0, n);
        return copy;
    }

    /** Whether the last walk found nothing else but that variables of threads hold something empty, or no longer do. */
    boolean foundOnlyEmpties() {
        return onlyEmpties;
    }

    /** How much the last walk had to do. */
    int cost() {
        return size + count + arraySize / 16;
    }

    /** Forgets what belongs to one look. */
    void release() {
        Arrays.fill(objects, null);
        Arrays.fill(arrays, null);
        running = null;
        variables = null;
        last = null;
    }

    private static Object kept(Object o) {
        Shape shape = Shape.of(o);
        if (shape.isLeaf() && o.getClass() != Class.class && o.getClass() != Object.class) {
            return o;
        }
        return shape.isEmpty(o) ? new Snapshot.Empty(o.getClass()) : new WeakReference<>(o);
    }

    private void number(long v) {
        if (size == VALUES) {
            throw UNKNOWN;
        }
        same = same && size < last.values.length && last.values[size] == v;
        values[size++] = v;
    }

    private void reference(Object o) {
        number(o == null ? -1 : place(o));
    }

    /** The place of an object. As long as all is as before, it can only be the one that was there, or be new. What was there is not looked at more than is needed: it is mostly in nobody's cache. */
    private int place(Object o) {
        if (same && size < last.values.length) {
            int at = (int) last.values[size];
            if (at >= 0 && at < count && objects[at] == o) {
                return at;
            }
            if (at == count && at < last.objects.length && last.isAt(at, o)) {
                return add(o, last.leaves[at]);
            }
        }
        Shape shape = Shape.of(o);
        if (shape.kind == Shape.UNKNOWN) {
            throw UNKNOWN;
        }
        if (same && size < last.values.length && (int) last.values[size] == count && count < last.objects.length && last.isLike(count, o, shape) && met(o) < 0) {
            return add(o, shape.isLeaf());
        }
        same = false;
        int at = met(o);
        return at < 0 ? add(o, shape.isLeaf()) : at;
    }

    /** The place of an object that was met on this walk; -1 if it was not. */
    private int met(Object o) {
        for (int i = 0; i < count; i++) {
            if (objects[i] == o) {
                return i;
            }
        }
        return -1;
    }

    private int add(Object o, boolean leaf) {
        if (count == OBJECTS) {
            throw UNKNOWN;
        }
        objects[count] = o;
        leaves[count] = leaf;
        return count++;
    }

    private void content(Object o, Shape shape) throws ReflectiveOperationException {
        changeable = changeable || last == null && !shape.isFixed(o);
        switch (shape.kind) {
            case Shape.OBJECTS:
                number(((Object[]) o).length);
                for (Object e : (Object[]) o) {
                    reference(e);
                }
                break;
            case Shape.NUMBERS:
                numbers(o);
                break;
            case Shape.MAP:
                for (Map.Entry<?, ?> e : ((Map<?, ?>) o).entrySet()) {
                    reference(e.getKey());
                    reference(e.getValue());
                }
                number(-2);
                break;
            case Shape.COLLECTION:
                for (Object e : (Collection<?>) o) {
                    reference(e);
                }
                number(-2);
                break;
            case Shape.TEXT:
                StringBuilder text = (StringBuilder) o;
                number(text.length());
                for (int i = 0; i < text.length(); i++) {
                    number(text.charAt(i));
                }
                break;
            case Shape.MEMBER:
                number(((AccessibleObject) o).isAccessible() ? 1 : 0);
                break;
            case Shape.REFERENCE:
                reference(((Reference<?>) o).get());
                break;
            case Shape.HOLDER:
                holder(o);
                break;
            case Shape.LOCAL:
                locals((ThreadLocal<?>) o);
                fields(o, shape);
                break;
            case Shape.FIELDS:
                fields(o, shape);
                break;
            default:
                break;
        }
    }

    private void holder(Object o) {
        if (o instanceof AtomicReference) {
            reference(((AtomicReference<?>) o).get());
        } else if (o instanceof AtomicBoolean) {
            number(((AtomicBoolean) o).get() ? 1 : 0);
        } else {
            number(((Number) o).longValue());
        }
    }

    /** What a variable holds in each thread. Those of virtual threads cannot be found. */
    private void locals(ThreadLocal<?> o) throws ReflectiveOperationException {
        if (running == null) {
            running = threads.all();
            variables = $Winnow.locals(running);
        }
        if (running.length == 0) {
            throw UNKNOWN;
        }
        int hash = $Winnow.hash(o);
        for (int i = 0; i < running.length; i++) {
            Object value = $Winnow.local(variables[i], o, hash);
            if (value == $Winnow.class) {
                continue;
            }
            if (value != null && Shape.of(value).isEmpty(value)) {
                if (emptyCount + 2 > EMPTIES) {
                    throw UNKNOWN;
                }
                empties[emptyCount++] = $Winnow.id(running[i]);
                empties[emptyCount++] = value.getClass().getName().hashCode();
                continue;
            }
            number($Winnow.id(running[i]));
            reference(value);
        }
        number(-2);
    }

    private void fields(Object o, Shape shape) throws IllegalAccessException {
        for (Field f : shape.fields) {
            field(f, o);
        }
    }

    private void field(Field f, Object of) throws IllegalAccessException {
        Class<?> type = f.getType();
        if (!type.isPrimitive()) {
            reference(f.get(of));
        } else if (of != null && Modifier.isFinal(f.getModifiers())) {
            return; // it never changes
        } else if (type == double.class) {
            number(Double.doubleToRawLongBits(f.getDouble(of)));
        } else if (type == float.class) {
            number(Float.floatToRawIntBits(f.getFloat(of)));
        } else if (type == boolean.class) {
            number(f.getBoolean(of) ? 1 : 0);
        } else if (type == char.class) {
            number(f.getChar(of));
        } else {
            number(f.getLong(of));
        }
    }

    private void numbers(Object array) {
        arraySize += Array.getLength(array);
        if (arraySize > NUMBERS || arrayCount == OBJECTS) {
            throw UNKNOWN;
        }
        same = same && arrayCount < last.arrays.length && Objects.deepEquals(last.arrays[arrayCount], array);
        arrays[arrayCount++] = array;
    }
}
