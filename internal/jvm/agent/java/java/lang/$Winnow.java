package java.lang;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import jdk.internal.vm.annotation.DontInline;

/**
 * The probe class: what inserted code refers to. It lives in java.lang of the boot loader, where every class can see it, and knows nothing but how to pass
 * things on. Some of its methods are called from inside System.getProperty and from class initializers, so nothing here may use them, and nothing may
 * be thrown at the program.
 */
public final class $Winnow {
    /** One byte for each method that was given a probe; entering the method stores 1. It is final so that a compiler knows the array: then a probe is one store, and needs neither loading nor checking. */
    public static final byte[] A;

    static {
        Object given = System.getProperties().remove("java.lang.$Winnow"); // by the agent, for lack of another place that both can see
        A = given instanceof byte[] ? (byte[]) given : new byte[0];
    }

    /** Something could not be passed on, so the record is not complete. */
    public static volatile boolean lost;

    public static IntConsumer enter;
    public static IntConsumer exit;
    public static ObjIntConsumer<Object> handler;

    /** The loader of the JDK's classes that are not the boot loader's. */
    public static ClassLoader platform;

    /** The loader of the class path: its classes are never unloaded. */
    public static ClassLoader application;

    /**
     * Classes of the program that were noted since the array was last replaced, as kept, by a few bits of their identity: reflection often asks for one class again
     * and again.
     */
    public static volatile Object[] noted = new Object[256];

    /** The thread that the agent uses just now to look at objects of the program: what it asks for is not the program's doing. */
    public static volatile Thread silent;

    private $Winnow() {}

    /** Runs something at the end of the JVM, behind the program's own hooks and the deletion of files. Only this package can ask for that. */
    public static void atEnd(Runnable task) {
        Shutdown.add(5, false, task);
    }

    private static Method dump;

    /** The stacks of several threads at one moment, null for those that have ended; null if the JVM does not tell. */
    public static StackTraceElement[][] stacks(Thread[] threads) {
        try {
            Method m = dump;
            if (m == null) {
                m = Thread.class.getDeclaredMethod("dumpThreads", Thread[].class);
                m.setAccessible(true);
                dump = m;
            }
            return (StackTraceElement[][]) m.invoke(null, (Object) threads);
        } catch (Exception | LinkageError e) {
            return null;
        }
    }

    private static Field number;

    /** The number of a thread, which a subclass may tell otherwise; -1 if it is not known. */
    public static long id(Thread t) {
        try {
            Field f = number;
            if (f == null) {
                f = Thread.class.getDeclaredField("tid");
                f.setAccessible(true);
                number = f;
            }
            return f.getLong(t);
        } catch (Exception | LinkageError e) {
            return -1;
        }
    }

    private static Method declared;

    /** The fields that a class declares, open to the agent. The JDK keeps nothing of it. */
    public static Field[] fields(Class<?> c) throws ReflectiveOperationException {
        Method m = declared;
        if (m == null) {
            m = Class.class.getDeclaredMethod("getDeclaredFields0", boolean.class);
            m.setAccessible(true);
            declared = m;
        }
        Field[] all = (Field[]) m.invoke(c, false);
        for (Field f : all) {
            f.setAccessible(true);
        }
        return all;
    }

    /** A class that a loader has loaded; null if it has not. */
    public static Class<?> loaded(ClassLoader l, String name) {
        return l.findLoadedClass(name);
    }

    private static Field[] ofLocals;

    /** The variables of threads and what these hold, for local: null where there are none. */
    public static Object[][] locals(Thread[] threads) throws ReflectiveOperationException {
        Field[] f = ofLocals;
        if (f == null) {
            f = new Field[] {Thread.class.getDeclaredField("threadLocals"), null, null, ThreadLocal.class.getDeclaredField("threadLocalHashCode")};
            f[1] = f[0].getType().getDeclaredField("table");
            f[2] = f[1].getType().getComponentType().getDeclaredField("value");
            for (Field one : f) {
                one.setAccessible(true);
            }
            ofLocals = f;
        }
        Object[][] all = new Object[threads.length][];
        for (int i = 0; i < all.length; i++) {
            Object map = f[0].get(threads[i]);
            all[i] = map == null ? null : (Object[]) f[1].get(map);
        }
        return all;
    }

    /** The number by which a variable is found in the tables of locals. */
    public static int hash(ThreadLocal<?> variable) throws IllegalAccessException {
        return ofLocals[3].getInt(variable);
    }

    /** What a variable with a hash holds in a table of locals; this class if nothing. */
    public static Object local(Object[] table, ThreadLocal<?> variable, int hash) throws IllegalAccessException {
        if (table != null) {
            int mask = table.length - 1;
            for (int i = hash & mask, n = 0; table[i] != null && n <= mask; i = (i + 1) & mask, n++) {
                if (((WeakReference<?>) table[i]).get() == variable) {
                    return ofLocals[2].get(table[i]);
                }
            }
        }
        return $Winnow.class;
    }

    private static void window(IntConsumer to, int id) {
        try {
            if (to != null) {
                to.accept(id);
            }
        } catch (Throwable t) {
            lost = true;
        }
    }

    @DontInline
    private static void tell(int kind, Object value) {
        try {
            ObjIntConsumer<Object> to = handler;
            if (to != null && silent != Thread.currentThread()) {
                to.accept(value, kind);
            }
        } catch (Throwable t) {
            lost = true;
        }
    }

    private static void tell(int kind, Object first, Object second) {
        try {
            tell(kind, new Object[] {first, second});
        } catch (Throwable t) {
            lost = true;
        }
    }

    public static void initEnter(int id) {
        window(enter, id);
    }

    public static void initExit(int id) {
        window(exit, id);
    }

    // What is not code. The numbers are the kinds of events in the log.

    public static void fileRead(Object path) {
        tell(1, path);
    }

    public static void fileWritten(Object path) {
        tell(2, path);
    }

    /** The two callers have different flags: those of RandomAccessFile come with a String, those of open(2) with a path. */
    public static void fileOpened(Object path, int flags) {
        boolean writes = path instanceof String ? (flags & 1) == 0 : (flags & 3) != 0;
        boolean reads = path instanceof String || (flags & 3) != 1;
        if (reads) {
            tell(1, path);
        }
        if (writes) {
            tell(2, path);
        }
    }

    /** The agent's own log. */
    public static volatile Object log;

    /** Streams and channels to which something was written since the array was last replaced, by a few bits of their identity. */
    public static volatile Object[] written = new Object[64];

    /** Something is written to what may have been opened long ago. */
    public static void streamWritten(Object stream) {
        Object[] known = written;
        int slot = System.identityHashCode(stream) & 63;
        if (known[slot] == stream || stream == log) {
            return;
        }
        known[slot] = stream;
        try {
            Class<?> c = stream.getClass();
            while (c != java.io.FileOutputStream.class && c != java.io.RandomAccessFile.class && !c.getName().equals("sun.nio.ch.FileChannelImpl")) {
                c = c.getSuperclass();
            }
            tell(27, field(c, stream, "path")); // null for the standard streams
        } catch (Throwable t) {
            lost = true;
        }
    }

    /** A link is made; the target is what it will say. */
    public static void fileLinked(Object target, Object link) {
        tell(25, target, link);
    }

    /** A file is opened relative to a directory that is open. */
    public static void fileOpenedIn(Object directory, Object name, Object options) {
        Object path = in(directory, name);
        tell(1, path);
        for (Object o : (java.util.Set<?>) options) {
            if (o != java.nio.file.StandardOpenOption.READ) {
                tell(2, path);
                return;
            }
        }
    }

    public static void fileAskedIn(Object directory, Object name) {
        tell(3, in(directory, name));
    }

    public static void fileWrittenIn(Object directory, Object name) {
        tell(2, in(directory, name));
    }

    /** The path of something in a directory that is open. The stream does not give its own. */
    private static Object in(Object directory, Object name) {
        try {
            Object stream = field(directory.getClass(), directory, "ds");
            return ((java.nio.file.Path) field(stream.getClass(), stream, "dir")).resolve((java.nio.file.Path) name);
        } catch (Throwable t) {
            lost = true;
            return null;
        }
    }

    private static Object field(Class<?> declaring, Object of, String name) throws ReflectiveOperationException {
        java.lang.reflect.Field f = declaring.getDeclaredField(name);
        f.setAccessible(true);
        return f.get(of);
    }

    /** A program gets hold of the jar behind a URL. */
    public static void jarOpened(Object connection) {
        tell(26, connection);
    }

    /** What the manifest of a package's jar says is asked. */
    public static void manifestAsked() {
        tell(10, "manifests of packages");
    }

    public static void fileAsked(Object path) {
        tell(3, path);
    }

    public static void directoryListed(Object path) {
        tell(4, path);
    }

    public static void propertyRead(Object name) {
        tell(5, name);
    }

    public static void propertiesRead() {
        tell(6, "");
    }

    public static void propertyWritten(Object name) {
        tell(18, name);
    }

    public static void localeSet() {
        tell(19, "default locale");
    }

    public static void timeZoneSet() {
        tell(19, "default time zone");
    }

    /** The default time zone, null if nobody asked for it yet: asking would make one. An object that equals nothing if it cannot be told. */
    public static Object zone() {
        try {
            return field(java.util.TimeZone.class, null, "defaultTimeZone");
        } catch (Throwable t) {
            return new Object();
        }
    }

    public static void variableRead(Object name) {
        tell(7, name);
    }

    public static void variablesRead() {
        tell(8, "");
    }

    public static void variableNamesRead() {
        tell(8, "names");
    }

    /** Somebody who goes through all variables asks for the value of one. */
    public static void variableMet(Object entry) {
        try {
            tell(8, "value ".concat((String) ((java.util.Map.Entry<?, ?>) entry).getKey()));
        } catch (Throwable t) {
            lost = true;
        }
    }

    public static void processStarted(Object command) {
        tell(9, command);
    }

    public static void resourceSought(Object name) {
        tell(10, name);
    }

    /** A jar is asked for an entry by way of its module. */
    public static void moduleOpened(Object name) {
        tell(20, name);
    }

    public static void classSought(Object name) {
        tell(11, name);
    }

    public static void networkConnected(Object address, int port) {
        network("connect ", address, port);
    }

    public static void networkConnected(Object address) {
        network("connect ", address);
    }

    public static void networkBound(Object address, int port) {
        network("bind ", address, port);
    }

    public static void networkBound(Object address) {
        network("bind ", address);
    }

    private static void network(String how, Object address, int port) {
        try {
            String host = address == null ? "*" : ((InetAddress) address).getHostAddress();
            tell(12, how + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port);
        } catch (Throwable t) {
            lost = true;
        }
    }

    private static void network(String how, Object address) {
        try {
            if (address instanceof DatagramPacket) {
                network(how, ((DatagramPacket) address).getAddress(), ((DatagramPacket) address).getPort());
            } else if (address instanceof InetSocketAddress && ((InetSocketAddress) address).getAddress() != null) {
                network(how, ((InetSocketAddress) address).getAddress(), ((InetSocketAddress) address).getPort());
            } else {
                tell(12, how + address);
            }
        } catch (Throwable t) {
            lost = true;
        }
    }

    /** A library of native code is there and about to be opened for a class. */
    public static void libraryLoaded(Object from, Object file) {
        try {
            ClassLoader l = ((Class<?>) from).getClassLoader();
            if (l != null && l != platform) {
                tell(24, file);
            }
        } catch (Throwable t) {
            lost = true;
        }
    }

    // Reflection. Only classes of the program count, and each counts once until the agent takes what was noted.

    public static void classReflected(Object type) {
        try {
            Class<?> c = (Class<?>) type;
            if (c != null && noted[System.identityHashCode(c) & 255] != c) {
                classNoted(c);
            }
        } catch (Throwable t) {
            lost = true;
        }
    }

    @DontInline
    private static void classNoted(Class<?> c) {
        if (isNew(c)) {
            tell(13, c);
        }
    }

    /** Classes whose names were looked at since the array was last replaced, as kept. */
    public static volatile Object[] named = new Object[256];

    /** The thread in which the recorder asks for the name of a class just now; it does so under its lock. */
    public static volatile Thread naming;

    /** Classes whose names no compiler has numbered, and some of the JDK, as kept, by a few bits of their identity. */
    private static final Object[] unnumbered = new Object[1024];

    /** The name of a class is asked for. Only names that a compiler has numbered say more than the class itself does. */
    public static void nameRead(Object type) {
        try {
            Class<?> c = (Class<?>) type;
            if (unnumbered[System.identityHashCode(c) & 1023] != c) {
                nameNoted(c);
            }
        } catch (Throwable t) {
            lost = true;
        }
    }

    @DontInline
    private static void nameNoted(Class<?> c) {
        if (silent == Thread.currentThread() || naming == Thread.currentThread()) {
            return;
        }
        int hash = System.identityHashCode(c);
        Object[] seen = named;
        if (isKept(unnumbered[hash & 1023], c) || isKept(seen[hash & 255], c)) {
            return;
        }
        ClassLoader l = c.getClassLoader();
        if (l == null || l == platform) {
            if (c.isAnnotation()) { // frameworks ask again and again for the names of the JDK's own; others would drive out those of the program
                unnumbered[hash & 1023] = c;
            }
            return;
        }
        Object kept = kept(c);
        seen[hash & 255] = kept; // before the name is asked for here
        if (!isNumbered(c.getName())) {
            unnumbered[hash & 1023] = kept;
        } else if (isForLoading()) {
            seen[hash & 255] = null;
        } else {
            classReflected(c);
        }
    }

    /** Whether a name is asked for to define the class, to find its package, or by the agent. */
    private static boolean isForLoading() {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        for (int i = 0; i + 1 < stack.length; i++) {
            if ("java.lang.Class".equals(stack[i].getClassName())) {
                String caller = stack[i + 1].getClassName();
                return caller.equals("java.lang.ClassLoader") || caller.startsWith("jdk.internal.loader.") || caller.equals("java.security.SecureClassLoader")
                    || caller.startsWith("winnow.agent.") || "getPackageName".equals(stack[i + 1].getMethodName());
            }
        }
        return false;
    }

    private static boolean isNumbered(String name) {
        for (int i = name.indexOf('$'); i >= 0 && i + 1 < name.length(); i = name.indexOf('$', i + 1)) {
            char next = name.charAt(i + 1);
            if (next >= '0' && next <= '9') {
                return true;
            }
        }
        return false;
    }

    public static void classesReflected(Object types) {
        try {
            if (types != null) {
                for (Class<?> c : (Class<?>[]) types) {
                    classReflected(c);
                }
            }
        } catch (Throwable t) {
            lost = true;
        }
    }

    public static void objectReflected(Object o) {
        if (o != null) {
            classReflected(o.getClass());
        }
    }

    /** A method, constructor, field, parameter or record component is used or looked at. */
    public static void memberReflected(Object member) {
        try {
            if (!(member instanceof Member) || noted[System.identityHashCode(((Member) member).getDeclaringClass()) & 255] != ((Member) member).getDeclaringClass()) {
                memberNoted(member);
            }
        } catch (Throwable t) {
            lost = true;
        }
    }

    @DontInline
    private static void memberNoted(Object member) {
        if (member instanceof Member ? isNew(((Member) member).getDeclaringClass()) : member != null) {
            tell(15, member);
        }
    }

    private static boolean isNew(Class<?> c) {
        if (silent == Thread.currentThread()) {
            return false;
        }
        ClassLoader l = c.getClassLoader();
        return l != null && l != platform && !isKept(noted[System.identityHashCode(c) & 255], c);
    }

    /** What stands for a class in an array. A class that can be unloaded is not kept from it. */
    public static Object kept(Class<?> c) {
        return c.getClassLoader() == application ? c : new WeakReference<>(c);
    }

    public static boolean isKept(Object kept, Class<?> c) {
        return kept == c || kept instanceof WeakReference && ((WeakReference<?>) kept).get() == c;
    }

    // Details, for studies: plans without them have no code that calls these.

    /** Pairs of a class and an id that were noted since the array was last replaced, by a few bits of both. */
    public static volatile Object[] received = new Object[4096];

    /** An instance method is entered. */
    public static void received(Object receiver, int id) {
        try {
            Class<?> c = receiver.getClass();
            Object[] seen = received;
            int slot = (System.identityHashCode(c) + 31 * id) & 4095;
            Object[] pair = (Object[]) seen[slot];
            if (pair != null && pair[0] == c && pair[1] != null && ((Integer) pair[1]).intValue() == id) {
                return;
            }
            pair = new Object[] {c, Integer.valueOf(id)};
            tell(21, pair);
            seen[slot] = pair; // in the array of that time: if it was replaced meanwhile, the pair is noted again
        } catch (StackOverflowError e) {
            throw e; // the call of this method could have thrown it just as well: the program's own method does not run, so nothing is lost
        } catch (Throwable t) {
            lost = true;
        }
    }

    /** A method or constructor is called by reflection, or a class makes an instance of itself by its constructor without parameters. */
    public static void memberInvoked(Object memberOrClass) {
        tell(22, memberOrClass);
    }

    public static void classNamed(Object name) {
        tell(14, name);
    }

    public static void bundleSought(Object name, Object locale) {
        tell(17, name, locale);
    }

    public static void threadStarted(Object thread) {
        tell(16, thread);
    }

    /** The program's shutdown hooks are about to run. */
    public static void closing() {
        tell(23, null);
    }

    // Test frameworks. The numbers are those of winnow.agent.Frameworks.

    public static void platformFound(Object request) {
        tell(32, request);
    }

    public static void vintageLooks(Object type) {
        tell(38, type);
    }

    public static void vintageFound(Object type) {
        tell(39, type);
    }

    public static void platformPreparing() {
        tell(37, null);
    }

    public static void platformRegistered(Object descriptor) {
        tell(33, descriptor);
    }

    public static void platformStarted(Object descriptor) {
        tell(34, descriptor);
    }

    public static void platformSkipped(Object descriptor) {
        tell(35, descriptor);
    }

    public static void platformFinished(Object descriptor, Object result) {
        tell(36, descriptor, result);
    }

    public static void junit4Found(Object runner, Object notifier) {
        tell(40, notifier, runner);
    }

    public static void junit4SuiteStarted(Object notifier, Object description) {
        tell(41, notifier, description);
    }

    public static void junit4SuiteFinished(Object notifier, Object description) {
        tell(42, notifier, description);
    }

    public static void junit4Started(Object notifier, Object description) {
        tell(43, notifier, description);
    }

    public static void junit4Finished(Object notifier, Object description) {
        tell(44, notifier, description);
    }

    public static void junit4Ignored(Object notifier, Object description) {
        tell(45, notifier, description);
    }

    public static void junit4Failed(Object notifier, Object failure) {
        tell(46, notifier, failure);
    }

    public static void junit4Assumed(Object notifier, Object failure) {
        tell(47, notifier, failure);
    }

    public static void setStarted(Object set) {
        tell(48, set);
    }

    public static void setFinished() {
        tell(49, null);
    }

    public static void junit3Started(Object test) {
        tell(50, test);
    }

    public static void junit3Finished(Object test) {
        tell(51, test);
    }

    public static void junit3Failed(Object test, Object thrown) {
        tell(52, test, thrown);
    }

    public static void junit3Found(Object suite) {
        tell(53, suite);
    }

    public static void testngReported(Object result) {
        tell(60, result);
    }

    public static void testngRunning(Object runner) {
        tell(61, runner);
    }

    public static void testngClassBegins(Object type) {
        tell(62, type);
    }

    public static void testngMethodEnds(Object type) {
        tell(63, type);
    }

    public static void testngEnds(Object runner) {
        tell(64, runner);
    }

    public static void testngMakes(Object type) {
        tell(65, type);
    }

    public static void testngMade() {
        tell(66, null);
    }
}
