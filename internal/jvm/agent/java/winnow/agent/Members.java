package winnow.agent;

import java.lang.reflect.Member;
import java.lang.reflect.Parameter;

/** Which class an object of java.lang.reflect is about. */
final class Members {
    private Members() {}

    static Class<?> owner(Object o) {
        if (o instanceof Member) {
            return ((Member) o).getDeclaringClass();
        }
        if (o instanceof Parameter) {
            return ((Parameter) o).getDeclaringExecutable().getDeclaringClass();
        }
        try { // a component of a record, which Java 8 does not have
            return (Class<?>) o.getClass().getMethod("getDeclaringRecord").invoke(o);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
