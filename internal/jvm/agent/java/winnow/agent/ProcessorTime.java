package winnow.agent;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How long threads have run, to the nanosecond: a thread whose time stays the same does not run. The JVM's beans are loaded when they are first asked. */
final class ProcessorTime {
    /** Elsewhere times are counted in coarser steps. */
    private final boolean exact = "Linux".equals(System.getProperty("os.name"));

    private final Aside aside;
    private ThreadMXBean bean;
    private boolean failed;

    ProcessorTime(Aside aside) {
        this.aside = aside;
    }

    /** The time of a thread, -1 if it cannot be told. */
    long of(Thread t) {
        long id = exact && !failed ? $Winnow.id(t) : -1;
        if (id < 0) {
            return -1;
        }
        aside.enter();
        try {
            if (bean == null) {
                bean = ManagementFactory.getThreadMXBean();
            }
            return bean.getThreadCpuTime(id);
        } catch (RuntimeException | LinkageError e) { // a run-time image without it, for one
            failed = true;
            return -1;
        } finally {
            aside.leave();
        }
    }
}
