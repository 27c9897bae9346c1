package winnow.agent;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.TreeSet;

/**
 * The methods that other threads are inside of. Such a method was entered before and may go on without another entry, so whatever runs now runs beside it. Virtual
 * threads are in no thread group: they are known from their start.
 */
final class Threads {
    private static final int FEW = 64;

    private final ThreadGroup root;
    private final LinkedList<WeakReference<Thread>> virtual = new LinkedList<>();
    private int next = FEW; // so many are looked through for dead ones

    Threads() {
        ThreadGroup g = Thread.currentThread().getThreadGroup();
        while (g.getParent() != null) {
            g = g.getParent();
        }
        root = g;
    }

    /** A virtual thread is about to start. */
    void started(Thread t) {
        synchronized (virtual) {
            if (virtual.size() >= next) {
                forgetDead();
                next = Math.max(FEW, 2 * virtual.size());
            }
            virtual.add(new WeakReference<>(t));
        }
    }

    private void forgetDead() {
        for (Iterator<WeakReference<Thread>> i = virtual.iterator(); i.hasNext(); ) {
            Thread t = i.next().get();
            if (t == null || t.getState() == Thread.State.TERMINATED) {
                i.remove();
            }
        }
    }

    private TreeSet<String> insideVirtual() {
        ArrayList<WeakReference<Thread>> all;
        synchronized (virtual) {
            if (virtual.isEmpty()) {
                return null;
            }
            forgetDead();
            all = new ArrayList<>(virtual);
        }
        TreeSet<String> found = null;
        for (WeakReference<Thread> r : all) {
            Thread t = r.get();
            if (t != null && t != Thread.currentThread()) {
                found = add(found, t.getStackTrace());
            }
        }
        return found;
    }

    /** The methods as "class.method", null if there are none. */
    TreeSet<String> inside() {
        Thread[] all = new Thread[root.activeCount() + 8];
        int n = root.enumerate(all);
        while (n == all.length) { // it leaves out what has no room
            all = new Thread[2 * n];
            n = root.enumerate(all);
        }
        TreeSet<String> found = insideVirtual();
        for (int i = 0; i < n; i++) {
            if (all[i] != Thread.currentThread() && !ofJvm(all[i])) {
                found = add(found, all[i].getStackTrace());
            }
        }
        return found;
    }

    private static TreeSet<String> add(TreeSet<String> found, StackTraceElement[] stack) {
        for (StackTraceElement e : stack) {
            String name = e.getClassName();
            if (name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.")) {
                continue;
            }
            if (found == null) {
                found = new TreeSet<>();
            }
            found.add(name + "." + e.getMethodName());
        }
        return found;
    }

    /** Threads of the JVM: they run code of the program only for moments, as in a finalizer. Asking each for its stack would double the cost of a boundary. */
    private boolean ofJvm(Thread t) {
        return t.getThreadGroup() == root || "Common-Cleaner".equals(t.getName());
    }
}
