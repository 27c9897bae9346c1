package winnow.agent;

/**
 * Spring reads class files to look at their declarations, and passes over the code. What it asks for then says no more than reflection would. Whoever else reads class
 * files may look at all of it.
 */
final class Parsers {
    private static final String READER = "org.springframework.core.type.classreading.";
    private static final String FINDER = "org.springframework.core.io.support.PathMatchingResourcePatternResolver";

    private Parsers() {}

    /** Whether an event is that a class file is parsed. */
    static boolean parses(int kind, Object value) {
        if (kind != Events.READ && kind != Events.ASKED && kind != Events.RESOURCE || !value.toString().endsWith(".class")) {
            return false;
        }
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String c = frame.getClassName();
            if (c.startsWith(READER) || c.startsWith(FINDER) && kind == Events.ASKED) {
                return true;
            }
            if (!isBetween(c)) {
                return false;
            }
        }
        return false;
    }

    /** The agent, the JDK, and what Spring opens files with. */
    private static boolean isBetween(String c) {
        return Events.ofJdk(c) || c.startsWith("winnow.agent.") || c.startsWith("org.springframework.core.io.") || c.startsWith("org.springframework.util.");
    }
}
