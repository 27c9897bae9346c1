import java.util.*;
import org.junit.Test;

public class Registry {
    /** Holds what others register. */
    static class Register {
        private static final Map<String, Object> ALL = new HashMap<>();

        static Object find(String name) { return ALL.get(name); }

        static void put(String name, Object o) { ALL.put(name, o); }
    }

    static Object get() {
        Object v = Register.find("v");
        if (v == null) {
            v = fill();
            Register.put("v", v);
        }
        return v;
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { get(); other(); }
    }

    public static class Second {
        @Test public void uses() { get(); }
    }
}
