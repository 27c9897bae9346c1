import java.util.*;
import org.junit.Test;

public class Reflective {
    private static final Map<Class<?>, Object> BEANS = new HashMap<>();

    static Object bean(Class<?> c) {
        return BEANS.computeIfAbsent(c, k -> {
            try {
                return k.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    public static class Bean {
        public Bean() { fill(); }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { bean(Bean.class); other(); }
    }

    public static class Second {
        @Test public void uses() { bean(Bean.class); }
    }
}
