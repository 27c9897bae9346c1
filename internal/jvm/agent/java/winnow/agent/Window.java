package winnow.agent;

import java.util.Arrays;
import java.util.HashSet;

/** A class initializer that runs. */
final class Window {
    final int id;
    final Thread thread;
    final Window outer; // of the same thread
    private int[] hits = new int[16];
    private int count;
    private int[] nested = new int[4];
    private int nestedCount;
    private HashSet<Events.Event> events;

    Window(int id, Thread thread, Window outer) {
        this.id = id;
        this.thread = thread;
        this.outer = outer;
    }

    void hit(int id) {
        if (count == hits.length) {
            hits = Arrays.copyOf(hits, 2 * count);
        }
        hits[count++] = id;
    }

    void saw(HashSet<Events.Event> some) {
        if (events == null) {
            events = new HashSet<>();
        }
        events.addAll(some);
    }

    private void nest(int id) {
        if (nestedCount == nested.length) {
            nested = Arrays.copyOf(nested, 2 * nestedCount);
        }
        nested[nestedCount++] = id;
    }

    /** Writes the window and makes it known to the one around it. */
    void close(Recorder to, Out block, boolean whole) {
        if (outer != null) {
            outer.nest(id);
        }
        Out record = new Out();
        record.u1(Recorder.INIT).number(id).u1(whole ? 0 : 1).ids(hits, distinct(hits, count));
        to.putEvents(record, block, events);
        record.rising(nested, distinct(nested, nestedCount));
        block.bytes(record.b, record.size);
    }

    /** Sorts a list and returns how many different numbers it has, which are then the first ones. */
    static int distinct(int[] list, int n) {
        Arrays.sort(list, 0, n);
        int kept = 0;
        for (int i = 0; i < n; i++) {
            if (i == 0 || list[i] != list[i - 1]) {
                list[kept++] = list[i];
            }
        }
        return kept;
    }
}
