package winnow.host;

import java.io.File;
import java.lang.invoke.MethodType;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;

/**
 * Takes the place of the agent's recorder behind the agent's probe class: what inserted code and hooks report arrives here, and goes to the stretch of the run that is open. The
 * rules are the recorder's: hits and events belong to the current segment and to every open window.
 */
final class Probes {
    private static final int LAST_FILE = 4; // kinds up to this one are about files
    private static final int RESOURCE = 10;
    private static final int CLASS = 11;
    private static final int REFLECTED = 13;
    private static final int NAMED = 14;
    private static final int PROPERTY_WRITTEN = 15;
    private static final int DEFAULT_SET = 16;
    private static final int LIBRARY = 18;
    private static final int RECEIVED = 22;
    private static final int INVOKED = 23;

    private static final String OWN = "winnow.host.";

    private final Class<?> probe;
    private final String[] machinery;
    private final Object lock = new Object();

    private byte[] array = new byte[0]; // the probe class's
    private int ids; // so many of its bytes are the program's
    private Set<String> names = Set.of(); // of the program's classes
    private boolean detail;
    private Stretch segment; // null: nothing is recorded
    private final ArrayList<Window> windows = new ArrayList<>();
    private final ArrayList<Window> closed = new ArrayList<>();
    private TreeSet<String> pending = new TreeSet<>();

    Probes(String[] classPath) throws ReflectiveOperationException {
        List<String> own = new ArrayList<>(Arrays.asList(classPath));
        own.add(System.getProperty("java.home"));
        own.add(System.getProperty("java.class.path"));
        own.addAll(Arrays.asList("/proc", "/sys", "/dev"));
        machinery = own.toArray(new String[0]);
        Class<?> found;
        try {
            found = Class.forName("java.lang.$Winnow", true, null);
        } catch (ClassNotFoundException e) {
            found = null;
        }
        probe = found;
        if (probe == null) {
            return;
        }
        array = (byte[]) field("A").get(null);
        // What a call from inside the JDK needs must be there before.
        new Window(0, null, null).events.addAll(new TreeSet<>());
        caller();
        signature(Object.class.getMethods()[0]);
        field("enter").set(null, (IntConsumer) new Enter());
        field("exit").set(null, (IntConsumer) new Exit());
        field("handler").set(null, new Handler());
    }

    boolean hooked() {
        return probe != null;
    }

    private Field field(String name) throws ReflectiveOperationException {
        return probe.getField(name);
    }

    /** What happened in some stretch of a run. */
    static class Stretch {
        final TreeSet<Integer> hits = new TreeSet<>();
        final TreeSet<String> events = new TreeSet<>();
    }

    /** A class initializer that runs. */
    static final class Window extends Stretch {
        final int id;
        final Thread thread;
        final Window outer;
        boolean open = true;

        Window(int id, Thread thread, Window outer) {
            this.id = id;
            this.thread = thread;
            this.outer = outer;
        }
    }

    /** Prepares for a program: how many ids it has, the names of its classes, and whether details are wanted. */
    void start(int ids, Set<String> classes, boolean detail) throws ReflectiveOperationException {
        synchronized (lock) {
            Arrays.fill(array, 0, this.ids, (byte) 0);
            if (probe != null && ids > array.length) {
                throw new IllegalArgumentException(ids + " ids are more than there is room for");
            }
            this.ids = probe == null ? 0 : ids;
            names = classes;
            this.detail = detail;
            windows.clear();
            closed.clear();
            pending.clear();
            if (probe != null) {
                field("lost").set(null, false);
            }
        }
    }

    boolean lost() throws ReflectiveOperationException {
        return probe == null || field("lost").getBoolean(null);
    }

    /** From here on things belong to this stretch; null stops recording. */
    void to(Stretch next) throws ReflectiveOperationException {
        synchronized (lock) {
            if (segment != null) {
                drain();
                closeAbandoned();
            } else {
                Arrays.fill(array, 0, ids, (byte) 0);
            }
            segment = next;
            pending.clear();
            if (probe != null && next != null) {
                forget();
            }
        }
    }

    /** Reflection upon a class is told once until the probe class forgets it. */
    private void forget() throws ReflectiveOperationException {
        field("noted").set(null, new Object[256]);
        field("named").set(null, new Object[256]);
        if (detail) {
            field("received").set(null, new Object[4096]);
        }
    }

    /** Initializers that ended since the last call. */
    List<Window> takeClosed() {
        synchronized (lock) {
            List<Window> out = new ArrayList<>(closed);
            closed.clear();
            return out;
        }
    }

    private void drain() {
        for (int id = 0; id < ids; id++) {
            if (array[id] != 0) {
                array[id] = 0;
                segment.hits.add(id);
                for (Window w : windows) {
                    for (Window o = w; o != null; o = o.outer) {
                        o.hits.add(id);
                    }
                }
            }
        }
        if (pending.isEmpty()) {
            return;
        }
        segment.events.addAll(pending);
        for (Window w : windows) {
            for (Window o = w; o != null; o = o.outer) {
                o.events.addAll(pending);
            }
        }
        pending = new TreeSet<>();
        try {
            forget();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private int mine() {
        for (int i = 0; i < windows.size(); i++) {
            if (windows.get(i).thread == Thread.currentThread()) {
                return i;
            }
        }
        return -1;
    }

    private final class Enter implements IntConsumer {
        @Override
        public void accept(int id) {
            synchronized (lock) {
                if (segment == null) {
                    return;
                }
                drain();
                int at = mine();
                if (at < 0) {
                    windows.add(new Window(id, Thread.currentThread(), null));
                } else {
                    windows.set(at, new Window(id, Thread.currentThread(), windows.get(at)));
                }
            }
        }
    }

    private final class Exit implements IntConsumer {
        @Override
        public void accept(int id) {
            synchronized (lock) {
                int at = mine();
                if (segment == null || at < 0) {
                    return;
                }
                Window w = windows.get(at);
                while (w != null && w.id != id) {
                    w = w.outer;
                }
                if (w == null) {
                    return;
                }
                drain();
                for (Window inner = windows.get(at); inner != w; inner = inner.outer) {
                    closed.add(inner); // its initializer threw
                }
                w.open = false;
                closed.add(w);
                keep(at, w.outer);
            }
        }
    }

    private void keep(int at, Window outer) {
        if (outer == null) {
            windows.remove(at);
        } else {
            windows.set(at, outer);
        }
    }

    /** Closes windows whose initializer threw: those of this thread, which has come to a boundary, and those of dead threads. */
    private void closeAbandoned() {
        for (int i = windows.size() - 1; i >= 0; i--) {
            Window w = windows.get(i);
            if (w.thread == Thread.currentThread() || !w.thread.isAlive()) {
                for (; w != null; w = w.outer) {
                    closed.add(w);
                }
                windows.remove(i);
            }
        }
    }

    /** Where the hooks arrive. The numbers are those of the probe class; what is kept has those of the agent's log. */
    private final class Handler implements ObjIntConsumer<Object> {
        @Override
        public void accept(Object value, int kind) {
            if (segment == null || value == null) {
                return;
            }
            switch (kind) {
                case REFLECTED -> reflected((Class<?>) value);
                case NAMED -> named((String) value);
                case 15 -> reflected(owner(value));
                case 16 -> { }
                case 17 -> bundle((Object[]) value);
                case 18 -> put(PROPERTY_WRITTEN, value.toString());
                case 19 -> put(DEFAULT_SET, value.toString());
                case 21 -> received((Object[]) value);
                case 22 -> invoked(value);
                case 24 -> put(LIBRARY, value.toString());
                default -> other(kind, value);
            }
        }

        private void other(int kind, Object value) {
            String text = value instanceof File ? ((File) value).getPath() : value instanceof String[] ? first((String[]) value) : value.toString();
            if (kind > CLASS + 1 || kind <= LAST_FILE && isMachinery(text) || kind == CLASS && text.startsWith(OWN)) {
                return;
            }
            put(kind, text);
        }

        private String first(String[] command) {
            return command.length == 0 ? "" : command[0];
        }

        private void named(String name) {
            int start = name.lastIndexOf('[') + 1;
            if (start > 0) { // the name of an array
                name = name.endsWith(";") ? name.substring(start + 1, name.length() - 1) : "";
            }
            if (names.contains(name.replace('.', '/'))) {
                put(NAMED, name);
            }
        }

        private void bundle(Object[] nameAndLocale) {
            String name = ((String) nameAndLocale[0]).replace('.', '/');
            put(RESOURCE, name + ".properties");
            put(RESOURCE, name + "_" + (nameAndLocale[1] == null ? Locale.getDefault() : nameAndLocale[1]) + ".properties");
        }
    }

    private void received(Object[] classAndId) {
        if (detail) {
            put(RECEIVED, classAndId[1].toString().concat(" ").concat(((Class<?>) classAndId[0]).getName()));
        }
    }

    private void invoked(Object memberOrClass) {
        if (!detail) {
            return;
        }
        Class<?> c = memberOrClass instanceof Class ? (Class<?>) memberOrClass : ((Member) memberOrClass).getDeclaringClass();
        if (Unit.has(c) && !c.isHidden()) {
            put(INVOKED, caller().concat("\n").concat(signature(memberOrClass)));
        }
    }

    /** The method of the program that is nearest on the stack, empty if there is none. */
    private String caller() {
        return StackWalker.getInstance().walk(all -> all.filter(f -> names.contains(f.getClassName().replace('.', '/'))).findFirst()
            .map(f -> f.getClassName().concat(".").concat(f.getMethodName())).orElse(""));
    }

    /** A method, a constructor, or the constructor without parameters of a class. */
    private static String signature(Object o) {
        if (o instanceof Class) {
            return ((Class<?>) o).getName() + ".<init>()V";
        }
        Executable e = (Executable) o;
        Class<?> result = o instanceof Method ? ((Method) o).getReturnType() : void.class;
        return e.getDeclaringClass().getName() + "." + (o instanceof Method ? e.getName() : "<init>") + MethodType.methodType(result, e.getParameterTypes()).toMethodDescriptorString();
    }

    /** A class is nowhere. */
    void sought(String name) {
        if (segment != null) {
            put(CLASS, name);
        }
    }

    private boolean isMachinery(String path) {
        for (String own : machinery) {
            if (path.startsWith(own)) {
                return true;
            }
        }
        return false;
    }

    private void reflected(Class<?> c) {
        while (c.isArray()) {
            c = c.getComponentType();
        }
        boolean made = c.isHidden() || Proxy.isProxyClass(c); // by the JVM, under a name that no other run has
        if (!Unit.has(c) || !made && !put(REFLECTED, c.getName())) {
            return;
        }
        if (c.getSuperclass() != null) {
            reflected(c.getSuperclass());
        }
        for (Class<?> i : c.getInterfaces()) {
            reflected(i);
        }
    }

    private static Class<?> owner(Object o) {
        if (o instanceof Member) {
            return ((Member) o).getDeclaringClass();
        }
        if (o instanceof Parameter) {
            return ((Parameter) o).getDeclaringExecutable().getDeclaringClass();
        }
        return ((RecordComponent) o).getDeclaringRecord();
    }

    /** Whether it is new since the last boundary. */
    private boolean put(int kind, String text) {
        synchronized (lock) {
            return pending.add((char) kind + text);
        }
    }
}
