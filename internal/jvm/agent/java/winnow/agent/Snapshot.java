package winnow.agent;

import java.lang.ref.WeakReference;

/** What a field led to: the objects in the order in which they were met, and what was read from them, in the same order. Nothing is kept alive but texts and the like. */
final class Snapshot {
    final Object[] objects; // leaves themselves, an Empty, or a weak reference
    final boolean[] leaves; // see Shape.isLeaf
    final long[] values; // numbers; the places of objects, or -1 for null
    final Object[] arrays; // copies of those of numbers
    final long[] empties; // threads whose variable holds something empty, with what: mostly what it holds at first
    final boolean changeable; // it can become something else

    Snapshot(Object[] objects, boolean[] leaves, long[] values, Object[] arrays, long[] empties, boolean changeable) {
        this.objects = objects;
        this.leaves = leaves;
        this.values = values;
        this.arrays = arrays;
        this.empties = empties;
        this.changeable = changeable;
    }

    /** Stands for an object without content, whichever it is. */
    static final class Empty {
        final Class<?> type;

        Empty(Class<?> type) {
            this.type = type;
        }
    }

    /** Whether an object is the one at a place. */
    boolean isAt(int place, Object o) {
        Object was = objects[place];
        return was == o || was instanceof WeakReference && ((WeakReference<?>) was).get() == o;
    }

    /** Whether an object cannot be told from the one at a place. */
    boolean isLike(int place, Object o, Shape shape) {
        Object was = objects[place];
        if (was instanceof Empty) {
            return ((Empty) was).type == o.getClass() && shape.isEmpty(o);
        }
        return shape.kind == Shape.EQUAL && was.getClass() == o.getClass() && was.equals(o);
    }
}
