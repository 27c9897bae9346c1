package winnow.agent;

import java.lang.ref.WeakReference;
import java.util.ArrayList;

/** The classes that were defined, and the ids that they got: in the order of their definition, so that the ids in use are always the first ones. */
final class Definitions {
    static final int UNPLANNED = 1;
    static final int DIFFERENT = 2;
    static final int DAMAGED = 3;
    static final int EARLY = 4;

    private final int[] bases; // by class: 1 + its first id, 0 if it has none yet
    private final ArrayList<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    private Out pending = new Out();
    private int next;

    Definitions(int classes) {
        bases = new int[classes];
    }

    /** Ids below this one may have been hit. */
    synchronized int limit() {
        return next;
    }

    /** Gives a class its ids, once; loaders that define the same bytes share them. */
    synchronized int base(int index, int ids) {
        if (bases[index] == 0) {
            bases[index] = 1 + next;
            next += ids;
        }
        return bases[index] - 1;
    }

    synchronized void planned(int index, int base, ClassLoader loader) {
        int id = loader(loader);
        pending.u1(Recorder.DEFINE).number(index).number(base).number(id);
    }

    synchronized void coarse(String name, int reason, ClassLoader loader) {
        int id = loader(loader);
        pending.u1(Recorder.COARSE).text(name).u1(reason).number(id);
    }

    /** A number for a loader that does not keep it alive; 0 is the boot loader. */
    private int loader(ClassLoader loader) {
        if (loader == null) {
            return 0;
        }
        for (int i = loaders.size() - 1; i >= 0; i--) {
            if (loaders.get(i).get() == loader) {
                return i + 1;
            }
        }
        loaders.add(new WeakReference<>(loader));
        pending.u1(Recorder.LOADER).text(loader.getClass().getName());
        return loaders.size();
    }

    synchronized void moveTo(Out block) {
        block.bytes(pending.b, pending.size);
        pending.size = 0;
    }
}
