package winnow.agent;

import java.util.concurrent.atomic.AtomicInteger;

/** The threads that ask the JDK for something on behalf of the agent. What they ask for is no event. */
final class Aside {
    private final ThreadLocal<Boolean> inside = new ThreadLocal<>();
    private final AtomicInteger count = new AtomicInteger();

    void enter() {
        count.incrementAndGet();
        inside.set(Boolean.TRUE);
    }

    void leave() {
        inside.remove();
        count.decrementAndGet();
    }

    boolean isInside() {
        return count.get() > 0 && inside.get() != null;
    }
}
