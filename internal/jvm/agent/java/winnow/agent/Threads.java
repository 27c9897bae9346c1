package winnow.agent;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.TreeSet;

/**
 * The methods that other threads are inside of. Such a method was entered before and may go on without another entry, so whatever runs now runs beside it. Virtual
 * threads are in no thread group: they are known from their start.
 */
final class Threads {
    private static final int FEW = 64;

    /** After so many stacks it pays to ask first which threads have run. */
    private static final int MANY = 1000;

    private final ThreadGroup root;
    private final LinkedList<WeakReference<Thread>> virtual = new LinkedList<>();
    private int next = FEW; // so many are looked through for dead ones

    /** Surefire's own threads, which were there before the first test; null before that. They never run code of the program. */
    private Thread[] surefire;

    private final ProcessorTime times;
    private Look[] looks = {}; // of the last time
    private int asked;

    Threads(Aside aside) {
        times = new ProcessorTime(aside);
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

    /** All threads; none if there are virtual ones, of which not all are known. */
    Thread[] all() {
        synchronized (virtual) {
            forgetDead();
            return virtual.isEmpty() ? running() : new Thread[0];
        }
    }

    private Thread[] running() {
        Thread[] all = new Thread[root.activeCount() + 8];
        int n = root.enumerate(all);
        while (n == all.length) { // it leaves out what has no room
            all = new Thread[2 * n];
            n = root.enumerate(all);
        }
        return Arrays.copyOf(all, n);
    }

    /** The methods as "class.method", null if there are none. */
    TreeSet<String> inside() {
        Thread[] all = running();
        TreeSet<String> found = insideVirtual();
        for (Look look : look(all, all.length)) {
            if (look.methods != null) {
                found = found == null ? new TreeSet<String>() : found;
                found.addAll(look.methods);
            }
        }
        return found;
    }

    private synchronized Look[] look(Thread[] all, int n) {
        if (surefire == null) {
            surefire = surefire(all, n);
        }
        Look[] now = new Look[n];
        Look[] anew = new Look[n];
        int others = 0;
        int moved = 0;
        for (int i = 0; i < n; i++) {
            Thread t = all[i];
            if (t == Thread.currentThread() || ofJvm(t) || isSurefire(t)) {
                continue;
            }
            long time = asked < MANY ? -1 : times.of(t); // asked for before the stack, so that a thread that runs meanwhile is looked at again
            Look last = last(t, others);
            if (last == null || time < 0 || last.time != time) {
                last = new Look(t, time);
                all[moved] = t;
                anew[moved++] = last;
            }
            now[others++] = last;
        }
        asked = Math.min(asked + moved, MANY);
        ask(Arrays.copyOf(all, moved), anew);
        looks = Arrays.copyOf(now, others);
        return looks;
    }

    private Look last(Thread t, int near) {
        if (near < looks.length && looks[near].thread.get() == t) {
            return looks[near];
        }
        for (Look l : looks) {
            if (l.thread.get() == t) {
                return l;
            }
        }
        return null;
    }

    /** Asks for all stacks at once: one after the other they would stop the whole JVM as often. */
    private static void ask(Thread[] threads, Look[] looks) {
        StackTraceElement[][] stacks = threads.length == 0 ? null : $Winnow.stacks(threads);
        for (int i = 0; i < threads.length; i++) {
            looks[i].methods = add(null, stacks == null ? threads[i].getStackTrace() : stacks[i]);
        }
    }

    /** What a thread was inside of, and how long it had run then. */
    private static final class Look {
        final WeakReference<Thread> thread;
        final long time;
        TreeSet<String> methods;

        Look(Thread thread, long time) {
            this.thread = new WeakReference<>(thread);
            this.time = time;
        }
    }

    private static Thread[] surefire(Thread[] all, int n) {
        ArrayList<Thread> own = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            if (all[i].getName().startsWith("surefire-forkedjvm-")) {
                own.add(all[i]);
            }
        }
        return own.toArray(new Thread[0]);
    }

    private boolean isSurefire(Thread t) {
        for (Thread own : surefire) {
            if (own == t) {
                return true;
            }
        }
        return false;
    }

    private static TreeSet<String> add(TreeSet<String> found, StackTraceElement[] stack) {
        if (stack == null) { // the thread has come to its end
            return found;
        }
        for (StackTraceElement e : stack) {
            String name = e.getClassName();
            if (Events.ofJdk(name)) {
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
