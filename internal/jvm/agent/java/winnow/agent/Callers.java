package winnow.agent;

import java.util.function.Predicate;

/** Who called by reflection. */
final class Callers implements Predicate<String> {
    private final Plan plan;

    private Callers(Plan plan) {
        this.plan = plan;
    }

    @Override
    public boolean test(String type) {
        return plan.isOwn(type);
    }

    /** The method of the project's own that is nearest on the stack of this thread, as "class.name"; empty if there is none. */
    static String nearest(Plan plan) {
        try {
            return Frames.nearest(new Callers(plan));
        } catch (LinkageError e) { // Java 8
            return traced(plan);
        }
    }

    private static String traced(Plan plan) {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (plan.isOwn(frame.getClassName())) {
                return frame.getClassName() + "." + frame.getMethodName();
            }
        }
        return "";
    }
}
