package winnow.agent;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Replaces classes by their instrumented form when their bytes are those of the plan. It is registered as one that cannot retransform, so its output is what
 * other agents start from.
 */
final class Swapper implements ClassFileTransformer {
    private final Plan plan;
    private final Definitions definitions;
    private final Events events;
    private final ClassLoader platform;
    private final ClassLoader own = Swapper.class.getClassLoader();
    private final Recorder recorder;
    private final ConcurrentHashMap<String, Plan.JdkClass> unhooked; // classes of the JDK that get their hooks when they are loaded

    Swapper(Plan plan, Definitions definitions, Events events, Recorder recorder, ConcurrentHashMap<String, Plan.JdkClass> unhooked) {
        this.plan = plan;
        this.recorder = recorder;
        this.unhooked = unhooked;
        this.definitions = definitions;
        this.events = events;
        platform = $Winnow.platform;
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
        try {
            if (loader == null && old == null && name != null && unhooked.containsKey(name)) {
                return hook(unhooked.remove(name), bytes);
            }
            if (loader == own || ofJdk(loader, name)) {
                if (loader == platform && name != null) {
                    events.defined(name); // it was sought in a module of the JDK
                }
                return null;
            }
            return swap(loader, name == null ? "" : name, domain, bytes);
        } catch (Throwable t) {
            definitions.coarse(name == null ? "" : name, Definitions.DAMAGED, loader);
            return null;
        }
    }

    private byte[] hook(Plan.JdkClass c, byte[] bytes) throws IOException {
        if (plan.matches(c.record, Hash.of(bytes), bytes.length)) {
            return plan.readAt(c.record);
        }
        recorder.problem(Recorder.NO_HOOK, c.name + " is another");
        return null;
    }

    /** Classes of the JDK, and those that it makes to call methods by reflection. The JDK counts as a whole. */
    private boolean ofJdk(ClassLoader loader, String name) {
        if (loader == null || loader == platform) {
            return name == null || !plan.hasName(name);
        }
        return name != null && (name.startsWith("jdk/internal/reflect/") || name.startsWith("sun/reflect/"));
    }

    private byte[] swap(ClassLoader loader, String name, ProtectionDomain domain, byte[] bytes) {
        events.defined(name);
        int index = plan.find(bytes);
        if (index < 0) {
            definitions.coarse(name, plan.hasName(name) ? Definitions.DIFFERENT : Definitions.UNPLANNED, loader);
            return null;
        }
        int base = definitions.base(index, plan.idsOf(index));
        try {
            byte[] swapped = plan.isSame(index) ? null : plan.read(index, base);
            definitions.planned(index, base, loader);
            recorder.watch.defined(name, base, plan.idsOf(index), loader, domain);
            return swapped;
        } catch (IOException e) {
            definitions.coarse(name, Definitions.DAMAGED, loader);
            return null;
        }
    }
}
