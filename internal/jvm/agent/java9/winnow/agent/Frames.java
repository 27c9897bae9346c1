package winnow.agent;

import java.util.Iterator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Looks for a method on the stack. Lambdas would have to be linked first, from inside the JDK. */
final class Frames implements Function<Stream<StackWalker.StackFrame>, String> {
    private static final StackWalker WALKER = StackWalker.getInstance();

    private final Predicate<String> classes;

    private Frames(Predicate<String> classes) {
        this.classes = classes;
    }

    /** The nearest method whose class, by its binary name, is one of these, as "class.name"; empty if there is none. Asking a frame for the types would load them. */
    static String nearest(Predicate<String> classes) {
        return WALKER.walk(new Frames(classes));
    }

    @Override
    public String apply(Stream<StackWalker.StackFrame> all) {
        for (Iterator<StackWalker.StackFrame> i = all.iterator(); i.hasNext(); ) {
            StackWalker.StackFrame f = i.next();
            if (classes.test(f.getClassName())) {
                return f.getClassName().concat(".").concat(f.getMethodName());
            }
        }
        return "";
    }
}
