package winnow.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Watches what static fields of the project lead to, from the end of the initializer of their class on. A field has changed if at a boundary it leads to something else than at the one before. That is told only of
 * fields of which everything could be looked at when the initializer ended, without running code of the program; nothing is said about the others. Where that is not so at a later boundary, the field has changed there and at the next one.
 * A field that is given up says so, and nothing that was said about it counts.
 */
final class Watch {
    /** One part in so many of the time since the first look may be spent on looking, and a moment more. */
    private static final int SHARE = 40;

    private static final long MOMENT = 300_000_000;

    /** At so many boundaries on end a field may not be looked at as a whole. */
    private static final int PATIENCE = 16;

    /** The field that JaCoCo adds to each class, with its own probes. The program does not know it, and nearly each test changes it. */
    private static final String COVERAGE = "$jacocoData";

    private final Events events;
    private final Walk walk;
    private final Object lock = new Object();
    private final ArrayList<Cell> cells = new ArrayList<>();
    private final ConcurrentSkipListMap<Integer, Own> own = new ConcurrentSkipListMap<>(); // by the first id
    private final ConcurrentHashMap<String, String> strange = new ConcurrentHashMap<>(); // classes that other loaders define, too
    private volatile boolean watching;
    private long first;
    private long spent;

    Watch(Events events, Threads threads) {
        this.events = events;
        walk = new Walk(threads);
    }

    /** A class of the project, with the ids of its methods up to an end. */
    private static final class Own {
        final String name;
        final int end;

        Own(String name, int end) {
            this.name = name;
            this.end = end;
        }
    }

    /** A static field. */
    private static final class Cell {
        final String owner;
        final String label;
        final Field field;
        Snapshot last; // null if not all could be looked at
        int vain; // looks on end that found something that cannot be looked at
        long cost;

        Cell(String owner, Field field) {
            this.owner = owner;
            this.label = owner + "." + field.getName();
            this.field = field;
        }
    }

    /** A class is defined with ids from base on. */
    void defined(String name, int base, int ids, ClassLoader loader, ProtectionDomain domain) {
        if (loader != $Winnow.application) {
            strange.put(name, name);
            return;
        }
        if (ids > 0 && Shape.isOwn(domain)) {
            own.put(base, new Own(name, base + ids));
        }
    }

    /** The initializer with this id has come to its end, in this thread. */
    void initialized(int id) {
        Map.Entry<Integer, Own> at = own.floorEntry(id);
        if (at == null || id >= at.getValue().end || isGuarded()) {
            return;
        }
        String name = at.getValue().name;
        synchronized (lock) {
            $Winnow.silent = Thread.currentThread();
            try {
                Class<?> c = $Winnow.loaded($Winnow.application, name.replace('/', '.'));
                if (c != null && !strange.containsKey(name)) {
                    for (Field f : $Winnow.fields(c)) {
                        if (Modifier.isStatic(f.getModifiers()) && !f.getName().equals(COVERAGE)) {
                            begin(new Cell(name, f));
                        }
                    }
                }
            } catch (Throwable t) {
                // Nothing is said about its fields.
            } finally {
                walk.release();
                $Winnow.silent = null;
            }
        }
    }

    private void begin(Cell c) {
        if (Modifier.isFinal(c.field.getModifiers()) && c.field.getType().isPrimitive()) {
            return;
        }
        try {
            c.last = walk.of(c.field, null);
        } catch (Throwable t) {
            return;
        }
        events.put(Events.WATCHED, c.label);
        if (c.last.changeable) {
            cells.add(c);
            watching = true;
        }
    }

    /** Looks at all fields, and notes those that have changed. */
    void look() {
        if (!watching) {
            return;
        }
        synchronized (lock) {
            if (isGuarded()) {
                giveUpAll();
                return;
            }
            long start = System.nanoTime();
            first = first == 0 ? start : first;
            $Winnow.silent = Thread.currentThread();
            try {
                for (Iterator<Cell> i = cells.iterator(); i.hasNext(); ) {
                    Cell c = i.next();
                    if (!look(c)) {
                        events.put(Events.UNWATCHED, c.label);
                        i.remove();
                    }
                }
            } finally {
                walk.release();
                $Winnow.silent = null;
            }
            long now = System.nanoTime();
            spent += now - start;
            if (spent > (now - first) / SHARE + MOMENT) {
                giveUpDearest();
            }
        }
    }

    /** Whether looking would be asked about by code of the program. */
    private static boolean isGuarded() {
        return System.getSecurityManager() != null;
    }

    private void giveUpAll() {
        for (Cell c : cells) {
            events.put(Events.UNWATCHED, c.label);
        }
        cells.clear();
        watching = false;
    }

    private boolean look(Cell c) {
        if (strange.containsKey(c.owner)) {
            return false;
        }
        Snapshot now;
        try {
            now = walk.of(c.field, c.last);
            c.vain = 0;
        } catch (Throwable t) {
            now = null;
            if (++c.vain == PATIENCE) {
                return false;
            }
        }
        c.cost += walk.cost();
        if (now == null || now != c.last) {
            events.put(Events.CHANGED, now != null && walk.foundOnlyEmpties() ? c.label + "?" : c.label);
            c.last = now;
        }
        return true;
    }

    /** Gives up the fields on which most has been spent, half of all that was. */
    private void giveUpDearest() {
        long all = 0;
        for (Cell c : cells) {
            all += c.cost;
        }
        for (long left = all / 2; left > 0 && !cells.isEmpty(); ) {
            Cell most = cells.get(0);
            for (Cell c : cells) {
                if (c.cost > most.cost) {
                    most = c;
                }
            }
            left -= Math.max(1, most.cost);
            cells.remove(most);
            events.put(Events.UNWATCHED, most.label);
        }
        spent = 0;
        first = System.nanoTime();
        for (Cell c : cells) {
            c.cost = 0;
        }
        watching = !cells.isEmpty();
    }
}
