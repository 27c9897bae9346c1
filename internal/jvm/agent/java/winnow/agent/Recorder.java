package winnow.agent;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * What was hit, and while which tests ran. Everything happens under one lock, under which no code of the program and no code with probes is called: what is
 * needed from a test framework is read before the lock is taken.
 */
final class Recorder {
    static final int START = 1;
    static final int STRING = 2;
    static final int DEFINE = 3;
    static final int COARSE = 4;
    static final int LOADER = 5;
    static final int NODE = 6;
    static final int BEGIN = 7;
    static final int END = 8;
    static final int SEGMENT = 9;
    static final int INIT = 10;
    static final int EXCLUDED = 11;
    static final int PROBLEM = 12;
    static final int FINISH = 13;
    static final int CLOSING = 14;
    static final int PREPARING = 15;
    static final int FOUND = 16;

    static final int NO_HOOK = 1; // a class of the JDK is without its hooks
    static final int FRAMEWORK = 2; // a test framework could not be asked
    static final int LOST = 3; // something could not be passed on
    static final int NO_PROBES = 4; // nothing is recorded
    static final int NO_END = 5; // the end of the process will not be noted
    static final int NOT_EXCLUDED = 6; // tests run although they are excluded

    private static final int HEADER = 8; // room for length and checksum of a block

    private final Object lock = new Object();
    final LogFile log;
    private final Definitions definitions;
    private final Events asked;
    private final Threads threads;
    final Watch watch;
    private final long origin = System.nanoTime();
    private final HashMap<String, Integer> strings = new HashMap<>();
    private final IdentityHashMap<Class<?>, Integer> types = new IdentityHashMap<>(); // the same for names of classes of the class path, which are never unloaded
    private final ArrayList<Node> active = new ArrayList<>();
    private final ArrayList<Window> windows = new ArrayList<>(); // the innermost of each thread
    private final Out block = new Out();

    // The current segment.
    private final byte[] probes;
    private final ByteBuffer words;
    private final boolean[] seen;
    private int[] hits = new int[1024];
    private int count;
    private HashSet<Events.Event> events;
    private TreeSet<String> beside;

    /** Ids that a study has room for at least: it may run programs with probes that no plan knows. */
    private static final int ROOM = 1 << 20;

    private int nodes;
    private boolean lost;
    private int looked; // so many hits of the segment came before the last look
    private String lookedFor; // the class whose tests are being looked for; null if that may not be all that happens
    private Thread looking; // the thread that does so
    private boolean unseen; // since the last look, and before the segment, code with probes ran, or what runs tests could set fields

    Recorder(LogFile log, int ids, Definitions definitions, Events asked) {
        this.log = log;
        this.definitions = definitions;
        this.asked = asked;
        threads = new Threads(asked.aside);
        watch = new Watch(asked, threads);
        probes = new byte[Math.max((ids + 7) & ~7, asked.plan.studies ? ROOM : 0)];
        words = ByteBuffer.wrap(probes);
        seen = new boolean[probes.length];
        block.size = HEADER;
    }

    byte[] probes() {
        return probes;
    }

    void start(long pid, Plan plan, String[] properties, boolean hooked) {
        synchronized (lock) {
            block.u1(START).number(pid).number(System.currentTimeMillis());
            for (String value : properties) {
                block.text(value);
            }
            block.u8(plan.digest).u1(hooked ? 1 : 0);
            flush();
        }
    }

    /** Notes what went wrong; it is written with the next block. */
    void problem(int code, String text) {
        synchronized (lock) {
            block.u1(PROBLEM).u1(code).text(text);
        }
    }

    void excluded(String key) {
        synchronized (lock) {
            block.u1(EXCLUDED).text(key);
        }
    }

    /** From here on the program's shutdown hooks run. */
    void closing() {
        TreeSet<String> inside = threads.inside();
        synchronized (lock) {
            cut(inside);
            block.u1(CLOSING).number(now());
            flush();
        }
    }

    void finish() {
        synchronized (lock) {
            cut(null);
            block.u1(FINISH).number(now());
            flush();
        }
    }

    /** A virtual thread is about to start. */
    void started(Thread t) {
        threads.started(t);
    }

    void begin(Node n) {
        TreeSet<String> inside = threads.inside();
        look(n);
        synchronized (lock) {
            declare(n);
            cut(inside);
            n.active = true;
            n.thread = Thread.currentThread();
            active.add(n);
            block.u1(BEGIN).number(n.id).number(now()).number(Thread.currentThread().getId());
            flush();
        }
    }

    /** An engine prepares a node. That is noted where nothing else says what belongs to it: between the classes at the top. */
    void preparing() {
        synchronized (lock) {
            for (Node n : active) {
                if ((n.kind & Node.ROOT) == 0) {
                    return;
                }
            }
            cut(null);
            block.u1(PREPARING);
        }
    }

    /** A framework looks for the tests of a class before any node has begun. That may run code of the program, which belongs to these tests then. */
    void looking(String type) {
        TreeSet<String> inside = boundary();
        synchronized (lock) {
            if (active.isEmpty()) {
                cut(inside);
                lookedFor = inside == null ? type : null;
                looking = Thread.currentThread();
            }
        }
    }

    /** The tests of a class are found. If it was not the last that was looked for (a suite looks for those of its members), nothing is known of it by itself. */
    void found(String type) {
        TreeSet<String> inside = boundary();
        synchronized (lock) {
            if (active.isEmpty() && inside == null && looking == Thread.currentThread() && type.equals(lookedFor)) {
                cut(null, type);
            }
            lookedFor = null;
            looking = null;
        }
    }

    private TreeSet<String> boundary() {
        look(null);
        return threads.inside();
    }

    /** Ends a node, whether it began or not. */
    void end(Node n) {
        TreeSet<String> inside = threads.inside();
        look(n);
        synchronized (lock) {
            declare(n);
            cut(inside);
            n.active = false;
            n.thread = null;
            active.remove(n);
            block.u1(END).number(n.id).number(now()).number(Thread.currentThread().getId()).u1(n.outcome == 0 ? Node.PASSED : n.outcome).text(n.why);
            flush();
        }
    }

    /**
     * Looks whether state has changed since the last look, unless no code with probes ran since; what runs tests has none, and can have set fields if a group has just begun or ended. Invocations of a method are looked at
     * together: there may be tens of thousands.
     */
    private void look(Node n) {
        if (n != null && n.isInvocation()) {
            return;
        }
        synchronized (lock) {
            drain();
            boolean ran = unseen || count > looked;
            looked = count;
            unseen = n == null || !n.isTest();
            if (!ran) {
                return;
            }
        }
        watch.look();
    }

    private void declare(Node n) {
        if (n == null || n.id != 0) {
            return;
        }
        declare(n.parent);
        n.id = ++nodes;
        block.u1(NODE).number(n.id).number(n.parent == null ? 0 : n.parent.id).u1(n.framework).u1(n.kind).u1(n.flags);
        block.text(n.key).text(n.type).text(n.method);
    }

    /** Whether a test is running that this thread started; what it runs by itself is its own business. */
    boolean insideTest() {
        synchronized (lock) {
            for (Node n : active) {
                if (n.isTest() && n.thread == Thread.currentThread()) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Whether a test is running, in whatever thread. */
    boolean runsTest() {
        synchronized (lock) {
            for (Node n : active) {
                if (n.isTest()) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Whether a test is running that is not of JUnit 3, or one of JUnit 3 in another thread, if those count. */
    boolean runsTestBesidesJunit3(boolean elsewhere) {
        synchronized (lock) {
            for (Node n : active) {
                if (n.isTest() && (n.framework != Node.JUNIT3 || elsewhere && n.thread != Thread.currentThread())) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Whether all that runs was started by this thread. */
    boolean isAlone() {
        synchronized (lock) {
            for (Node n : active) {
                if (n.thread != Thread.currentThread()) {
                    return false;
                }
            }
            return true;
        }
    }

    boolean runs(int framework) {
        synchronized (lock) {
            for (Node n : active) {
                if (n.framework == framework) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The running group to which a test of a framework without parents belongs: the last that this thread began, else that of its class. */
    Node group(String type) {
        synchronized (lock) {
            Node own = null;
            Node same = null;
            for (Node n : active) {
                if (n.framework == Node.PLATFORM || n.isTest()) {
                    continue;
                }
                if (n.thread == Thread.currentThread()) {
                    own = n;
                }
                if (n.type.equals(type)) {
                    same = n;
                }
            }
            return own != null ? own : same;
        }
    }

    private long now() {
        return System.nanoTime() - origin;
    }

    // Segments.

    /** Ends the segment; inside are the methods that run beside the next one. */
    private void cut(TreeSet<String> inside) {
        cut(inside, null);
    }

    /** The segment may be that in which the tests of a class were found. */
    private void cut(TreeSet<String> inside, String type) {
        drain();
        closeAbandoned();
        noteLost();
        if (events != null) {
            asked.defaults.settle(events);
            events = events.isEmpty() ? null : events;
        }
        if (count > 0 || events != null || beside != null) {
            writeSegment(type);
        }
        unseen = unseen || count > looked;
        looked = 0;
        for (int i = 0; i < count; i++) {
            seen[hits[i]] = false;
        }
        count = 0;
        events = null;
        beside = inside;
    }

    private void writeSegment(String type) {
        Arrays.sort(hits, 0, count);
        Out record = new Out();
        if (type != null) {
            record.u1(FOUND).number(string(type)).ids(hits, count);
            putEvents(record, block, events);
        } else {
            int[] running = new int[active.size()];
            for (int i = 0; i < running.length; i++) {
                running[i] = active.get(i).id;
            }
            Arrays.sort(running);
            record.u1(SEGMENT).number(now()).rising(running, running.length).ids(hits, count);
            putEvents(record, block, events);
            putBeside(record);
        }
        block.bytes(record.b, record.size);
    }

    private void putBeside(Out record) {
        if (beside == null) {
            record.number(0);
            return;
        }
        int[] list = new int[beside.size()];
        int n = 0;
        for (String method : beside) {
            list[n++] = string(method);
        }
        record.rising(list, Window.distinct(list, n));
    }

    /** Writes events in the order of kinds and strings, each once. New strings go to the block, which is written before the record. */
    void putEvents(Out record, Out block, HashSet<Events.Event> events) {
        if (events == null) {
            record.number(0);
            return;
        }
        long[] list = new long[events.size()];
        int n = 0;
        for (Events.Event e : events) {
            list[n++] = (long) e.kind << 32 | string(e);
        }
        Arrays.sort(list);
        int distinct = 0;
        for (int i = 0; i < n; i++) {
            if (i == 0 || list[i] != list[i - 1]) {
                list[distinct++] = list[i];
            }
        }
        record.number(distinct);
        for (int i = 0; i < distinct; i++) {
            record.u1((int) (list[i] >> 32)).number((int) list[i]);
        }
    }

    private int string(Events.Event e) {
        if (!(e.value instanceof Class)) {
            return string(e.value.toString());
        }
        Class<?> c = (Class<?>) e.value;
        Integer known = types.get(c);
        if (known == null) {
            $Winnow.naming = Thread.currentThread();
            String name = c.getName();
            $Winnow.naming = null;
            known = string(name);
            types.put(c, known);
        }
        return known;
    }

    private int string(String s) {
        Integer known = strings.get(s);
        if (known == null) {
            known = strings.size();
            strings.put(s, known);
            block.u1(STRING).text(s);
        }
        return known;
    }

    private void noteLost() {
        if (!lost && ($Winnow.lost || asked.overflowed())) {
            lost = true;
            block.u1(PROBLEM).u1(LOST).text("");
        }
    }

    private void flush() {
        if (block.size > HEADER) {
            log.write(block);
        }
        block.size = HEADER;
    }

    // Probes and windows.

    /** Moves the hits and events since the last call to the segment and to every open window. The classes that they belong to come first in the block. */
    private void drain() {
        int limit = definitions.limit();
        definitions.moveTo(block);
        for (int at = 0; at < limit; at += 8) {
            if (words.getLong(at) != 0) {
                drainWord(at);
            }
        }
        HashSet<Events.Event> some = asked.take();
        if (some == null) {
            return;
        }
        for (Window w : windows) {
            w.saw(some);
        }
        if (events == null) {
            events = some;
        } else {
            events.addAll(some);
        }
    }

    private void drainWord(int at) {
        for (int id = at; id < at + 8; id++) {
            if (probes[id] != 0) {
                probes[id] = 0;
                hit(id);
            }
        }
    }

    private void hit(int id) {
        for (int i = windows.size() - 1; i >= 0; i--) {
            windows.get(i).hit(id);
        }
        if (seen[id]) {
            return;
        }
        seen[id] = true;
        if (count == hits.length) {
            hits = Arrays.copyOf(hits, 2 * count);
        }
        hits[count++] = id;
    }

    final class Enter implements IntConsumer {
        @Override
        public void accept(int id) {
            enter(id);
        }
    }

    final class Exit implements IntConsumer {
        @Override
        public void accept(int id) {
            exit(id);
            watch.initialized(id);
        }
    }

    private void enter(int id) {
        synchronized (lock) {
            drain();
            int at = mine();
            if (at < 0) {
                windows.add(new Window(id, Thread.currentThread(), null));
            } else {
                windows.set(at, new Window(id, Thread.currentThread(), windows.get(at)));
            }
        }
    }

    private void exit(int id) {
        synchronized (lock) {
            int at = mine();
            if (at < 0 || !opened(windows.get(at), id)) {
                return;
            }
            drain();
            Window w = windows.get(at);
            for (; w.id != id; w = w.outer) {
                w.close(this, block, false); // its initializer threw
            }
            w.close(this, block, true);
            keepOpen(at, w.outer);
        }
    }

    private void keepOpen(int at, Window outer) {
        if (outer == null) {
            windows.remove(at);
        } else {
            windows.set(at, outer);
        }
    }

    private static boolean opened(Window w, int id) {
        while (w != null && w.id != id) {
            w = w.outer;
        }
        return w != null;
    }

    private int mine() {
        for (int i = 0; i < windows.size(); i++) {
            if (windows.get(i).thread == Thread.currentThread()) {
                return i;
            }
        }
        return -1;
    }

    /** Closes windows whose initializer threw: those of this thread, which has come to a boundary between tests, and those of dead threads. */
    private void closeAbandoned() {
        for (int i = windows.size() - 1; i >= 0; i--) {
            Window w = windows.get(i);
            if (w.thread == Thread.currentThread() || !w.thread.isAlive()) {
                for (; w != null; w = w.outer) {
                    w.close(this, block, false);
                }
                windows.remove(i);
            }
        }
    }
}
