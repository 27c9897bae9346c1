package winnow.agent;

import java.io.File;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;

/**
 * What the program asked the JDK for, each thing once until it is taken. Adding runs inside the JDK's own methods: it takes a lock under which nothing else is
 * called but hashCode and equals of strings and of the JDK's paths.
 */
final class Events {
    private static final int MOST = 1 << 20;

    static final int READ = 1;
    static final int ASKED = 3;
    static final int PROPERTIES = 6;
    static final int PROCESS = 9;
    static final int RESOURCE = 10;
    static final int CLASS = 11;
    static final int REFLECTED = 13;
    static final int NAMED = 14;
    static final int PROPERTY_WRITTEN = 15;
    static final int DEFAULT_SET = 16;
    static final int PARSED = 17;
    static final int LIBRARY = 18;
    static final int LINKED = 19;
    static final int JAR = 20;
    static final int APPENDED = 21;
    static final int RECEIVED = 22;
    static final int INVOKED = 23;
    static final int WATCHED = 24;
    static final int CHANGED = 25;
    static final int UNWATCHED = 26;

    final Aside aside = new Aside();
    final Defaults defaults = new Defaults(aside);

    final Plan plan;
    private final ClassLoader own = Events.class.getClassLoader();
    private final Object lock = new Object();
    private HashSet<Event> current = new HashSet<>();
    private boolean overflow;

    /** The class that a thread asked the class path or a module for last, by a few bits of the thread's identity. */
    private final Sought[] sought = new Sought[64];

    /** Directories in which the JDK's own loaders were seen to look for classes. */
    private volatile String[] places = {};

    Events(Plan plan) {
        this.plan = plan;
    }

    static final class Event {
        final int kind;
        final Object value;

        Event(int kind, Object value) {
            this.kind = kind;
            this.value = value;
        }

        @Override
        public int hashCode() {
            return 31 * kind + value.hashCode();
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Event && ((Event) o).kind == kind && ((Event) o).value.equals(value);
        }
    }

    private static final class Sought {
        final WeakReference<Thread> thread;
        final String path;
        boolean read; // by the one thread

        Sought(Thread thread, String path) {
            this.thread = new WeakReference<>(thread);
            this.path = path;
        }

        boolean isFirst() {
            boolean first = !read;
            read = true;
            return first;
        }
    }

    void add(int kind, Object value) {
        if (value == null || plan.reader == Thread.currentThread() || aside.isInside()) {
            return;
        }
        if (kind == PROCESS && (attaches(value) || watches()) || kind == PROPERTIES && forItself()) {
            return;
        }
        Object kept = keep(value);
        if (kind == CLASS) {
            remember((String) kept);
        } else if ((kind == READ || kind == ASKED) && loads(kind, kept)) {
            return;
        }
        put(new Event(Parsers.parses(kind, kept) ? PARSED : kind, kept));
        if ((kind == READ || kind == ASKED) && Jars.isRead(kept)) {
            put(new Event(JAR, kept));
        }
    }

    /** Notes what a link leads to, from the directory in which it is. */
    void linked(Object[] targetAndLink) {
        Path link = (Path) targetAndLink[1];
        add(LINKED, link.resolveSibling(new String((byte[]) targetAndLink[0])));
    }

    /** Whether a command is that by which Byte Buddy loads an agent into this very process: it reads nothing of the program's. */
    private static boolean attaches(Object command) {
        if (command instanceof String[]) {
            for (String word : (String[]) command) {
                if ("net.bytebuddy.agent.Attacher".equals(word)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether it is Surefire that looks whether Maven is still there. */
    private static boolean watches() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if ("org.apache.maven.surefire.booter.PpidChecker".equals(frame.getClassName())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the JDK fetches all properties to look up a few of its own, for the default locale, or Surefire to write them into its reports. */
    private boolean forItself() {
        Event e = new Event(PROPERTIES, "");
        synchronized (lock) {
            if (current.contains(e)) {
                return true;
            }
        }
        StackTraceElement[] stack = new Throwable().getStackTrace();
        int i = 0;
        while (i < stack.length && !"java.lang.System".equals(stack[i].getClassName())) {
            i++;
        }
        if (i + 1 >= stack.length) {
            return false;
        }
        String caller = stack[i + 1].getClassName();
        if ("java.util.Locale".equals(caller) || "sun.security.action.GetPropertyAction".equals(caller)) {
            return true;
        }
        for (i++; i < stack.length; i++) {
            caller = stack[i].getClassName();
            if (!caller.startsWith("java.") && !caller.startsWith("sun.") && !caller.startsWith("com.sun.") && !caller.startsWith("jdk.")) {
                return caller.startsWith("org.apache.maven.surefire.");
            }
        }
        return false;
    }

    /** Notes something that the agent has seen by itself. */
    void put(int kind, String value) {
        put(new Event(kind, value));
    }

    private void put(Event e) {
        synchronized (lock) {
            if (current.size() < MOST) {
                current.add(e);
            } else {
                overflow = true;
            }
        }
    }

    /** Notes a class that was looked at, and its supertypes: reflection shows what is inherited, and keeps what it found of them. */
    void reflected(Class<?> c) {
        while (c.isArray()) {
            c = c.getComponentType();
        }
        Object[] noted = $Winnow.noted;
        int slot = System.identityHashCode(c) & 255;
        ClassLoader l = c.getClassLoader();
        if (l == null || l == $Winnow.platform || l == own || $Winnow.isKept(noted[slot], c)) {
            return;
        }
        put(new Event(REFLECTED, l == $Winnow.application ? c : c.getName())); // another loader's class may be unloaded before the event is taken
        noted[slot] = $Winnow.kept(c); // in the array of that time: if it was replaced meanwhile, the class is noted again
        if (c.getSuperclass() != null) {
            reflected(c.getSuperclass());
        }
        for (Class<?> i : c.getInterfaces()) {
            reflected(i);
        }
    }

    /** Notes the class of a receiver; the pair is one of the probe class. */
    void received(Object[] classAndId) {
        put(new Event(RECEIVED, new Received((Class<?>) classAndId[0], (Integer) classAndId[1])));
    }

    /** Notes a call by reflection with the method of the project's own that is nearest on the stack. */
    void invoked(Object memberOrClass) {
        if (!plan.studies || plan.reader == Thread.currentThread() || Ask.isOwn(memberOrClass)) {
            return;
        }
        String to = Members.signature(memberOrClass);
        if (to != null) {
            put(new Event(INVOKED, Callers.nearest(plan).concat("\n").concat(to)));
        }
    }

    /** A class with the id of a method that was entered on an object of it. */
    private static final class Received {
        private final Class<?> type;
        private final int id;

        Received(Class<?> type, int id) {
            this.type = type;
            this.id = id;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(type) + 31 * id;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Received && ((Received) o).type == type && ((Received) o).id == id;
        }

        @Override
        public String toString() {
            return id + " " + type.getName();
        }
    }

    /** Notes that a class was asked for by its name, if the plan has one of this name. What is not there is noted where it was sought. */
    void named(String name) {
        int start = name.lastIndexOf('[') + 1;
        if (start > 0) { // the name of an array
            int end = name.length() - 1;
            name = name.endsWith(";") && start < end ? name.substring(start + 1, end) : ""; // the program may ask for what is no name at all
        }
        if (name.startsWith("java.")) {
            return;
        }
        Event e = new Event(NAMED, name);
        synchronized (lock) {
            if (current.contains(e)) {
                return;
            }
        }
        if (plan.hasName(name.replace('.', '/'))) {
            put(e);
        }
    }

    /** Notes that a class was asked for by its name, whether there is one or not. */
    void sought(String name) {
        if (plan.hasName(name.replace('.', '/'))) {
            named(name);
        } else {
            put(new Event(CLASS, name));
        }
    }

    /** The JDK asks a File for its path at the same place; arrays can change later. */
    private static Object keep(Object value) {
        if (value instanceof File) {
            return ((File) value).getPath();
        }
        if (value instanceof String[]) {
            String[] command = (String[]) value;
            return command.length == 0 ? "" : command[0];
        }
        return value;
    }

    private void remember(String name) {
        Thread t = Thread.currentThread();
        sought[slot(t)] = new Sought(t, "/" + name.replace('.', '/') + ".class");
    }

    private static int slot(Thread t) {
        return System.identityHashCode(t) & 63;
    }

    private Sought sought() {
        Thread t = Thread.currentThread();
        Sought s = sought[slot(t)];
        return s == null || s.thread.get() != t ? null : s;
    }

    /** Whether a file is the class that the JDK's own loader is looking for in this thread. It is read once. */
    private boolean loads(int kind, Object file) {
        Sought s = sought();
        if (s == null) {
            return false;
        }
        String path = file.toString(); // of the class path a String, of a module a path
        if (!path.endsWith(s.path) || !isPlace(path.substring(0, path.length() - s.path.length()))) {
            return false;
        }
        return kind != READ || s.isFirst(); // its size is asked for, too, after it was opened
    }

    /** Notes what is read out of a jar by way of its module, unless it is the class that is being loaded. */
    void opened(String name) {
        Sought s = sought();
        if (s == null || !s.path.regionMatches(1, name, 0, name.length()) || s.path.length() != name.length() + 1 || !s.isFirst()) {
            add(RESOURCE, name);
        }
    }

    /** Whether a directory is one that the JDK's own loaders look into. A loader of the program asks them first and then looks for the same class elsewhere. */
    private boolean isPlace(String dir) {
        for (String p : places) {
            if (p.equals(dir)) {
                return true;
            }
        }
        if (!isLoader(new Throwable().getStackTrace())) {
            return false;
        }
        synchronized (lock) {
            String[] more = Arrays.copyOf(places, places.length + 1);
            more[places.length] = dir;
            places = more;
        }
        return true;
    }

    /** Whether the JDK's own loader looks for a class: nothing but the JDK, and no other loader, is between it and the agent. */
    private static boolean isLoader(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            String c = frame.getClassName();
            if ("jdk.internal.loader.BuiltinClassLoader".equals(c) && frame.getMethodName().startsWith("findClass")) {
                return true;
            }
            if (!ofJdk(c) && !c.startsWith("winnow.agent.") || "java.net.URLClassLoader".equals(c)) {
                return false;
            }
        }
        return false;
    }

    /** Whether a class on a stack is one of the JDK, by its name. */
    static boolean ofJdk(String c) {
        return c.startsWith("java.") || c.startsWith("jdk.") || c.startsWith("sun.");
    }

    /** A class that was sought and is defined was not sought in vain. */
    void defined(String name) {
        Event e = new Event(CLASS, name.replace('/', '.'));
        synchronized (lock) {
            current.remove(e);
        }
    }

    boolean overflowed() {
        synchronized (lock) {
            return overflow;
        }
    }

    /** What came since the last call, null if nothing. */
    HashSet<Event> take() {
        synchronized (lock) {
            if (current.isEmpty()) {
                return null;
            }
            HashSet<Event> taken = current;
            current = new HashSet<>();
            $Winnow.noted = new Object[$Winnow.noted.length];
            $Winnow.named = new Object[$Winnow.named.length];
            $Winnow.written = new Object[$Winnow.written.length];
            if (plan.studies) {
                $Winnow.received = new Object[$Winnow.received.length];
            }
            return taken;
        }
    }
}
